import type { StorageFault } from '../core/storage-error.ts';
import type { PackedText } from './packed-text.ts';
import type { Row, SqlValue, StatementResult } from './statement.ts';

/** What the worker is started with. */
export interface WorkerStart {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

export interface Ask {
  readonly id: number;
  readonly unit: readonly SentStatement[];
}

/** A statement by the number of its text, which travels once, and its values. */
export type SentStatement = readonly [text: number, ...values: (SqlValue | PackedText)[]];

/** The rows of a statement that gives any, else how many it changed. */
export type SentResult = readonly Row[] | number;

export function sentResult({ rows, changes }: StatementResult): SentResult {
  return rows.length > 0 ? rows : changes;
}

export function receivedResult(sent: SentResult): StatementResult {
  return typeof sent === 'number' ? { rows: [], changes: sent } : { rows: sent, changes: 0 };
}

export type Reply =
  | { readonly kind: 'done'; readonly id: number; readonly results: readonly SentResult[] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: StorageFault; readonly message: string };

/** Many travel together: in a surge a message each would cost more than what it asks for. */
export type ToWorker =
  /** `texts` are new, and numbered on from the last. */
  | { readonly kind: 'run'; readonly texts: readonly string[]; readonly asks: readonly Ask[] }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly fault: StorageFault; readonly message: string }
  | { readonly kind: 'ran'; readonly replies: readonly Reply[] };
