import type { Nanos } from './time.ts';

/** What was at fault, as somebody found out who looked. */
export type Truth =
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  | { readonly kind: 'application' }
  /** Looked at, and it cannot be told. */
  | { readonly kind: 'unknown' };

/** What an operator says of one failure that was answered. */
export interface Mark {
  /** Session of its answers, else the request. */
  readonly about: string;
  readonly truth: Truth;
  readonly note: string;
  readonly at: Nanos;
}

/** The last mark of each failure, kept as long as answers are. What `record` resolved survives a crash (memory excepted). */
export interface MarkStore {
  /** Takes the place of an earlier mark of the same failure. */
  record(mark: Mark): Promise<void>;
  /** In the order of their times. */
  all(): Promise<readonly Mark[]>;
}
