import type { Command } from 'commander';

/** Adds one command to the program; what it runs is loaded when it is called. */
export type AddCommand = (program: Command, finish: (exitCode: number) => void) => void;

/** Options that stand before every command. */
export interface GlobalOptions {
  readonly config: string | null;
  readonly color: boolean;
}
