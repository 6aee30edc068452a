import type { PackedText } from './packed-text.ts';

/** What SQLite stores. Integers beyond 2^53 and times in nanoseconds are bigint. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** One statement with its positional values. Texts are constants of the program, never built from input. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (SqlValue | PackedText)[];
}

export type Row = Readonly<Record<string, SqlValue>>;

/** `rows` of a statement that returns any; `changes` of one that writes. Integers come back as bigint. */
export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/** Statements that succeed or fail together. */
export type Unit = readonly Statement[];
