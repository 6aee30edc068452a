import type { Instant } from '../../core/time.ts';

/** What a line's prefix says of who wrote it. */
export interface Speaker {
  readonly host: string | null;
  readonly pid: number | null;
  readonly rank: number | null;
  readonly task: number | null;
  readonly gpu: number | null;
}

/** One line that a rule matched: plain data, small enough to cross threads. */
export interface LineHit {
  /** Position of the rule in the corpus. */
  readonly rule: number;
  readonly line: number;
  /** The line between carriage returns, at most 4 KiB around the match. */
  readonly text: string;
  /** As written in the line, but `pci` normalised. */
  readonly captures: Readonly<Record<string, string>>;
  readonly instant: Instant;
  readonly speaker: Speaker;
}
