import type { ErrorType } from '../contract/index.ts';
import type { Target } from './target.ts';

/** What could have been otherwise: symptoms that nobody had seen, or guards of the reasoning that were not there. */
export type Change =
  | { readonly kind: 'symptoms'; readonly ids: readonly string[] }
  | { readonly kind: 'guards'; readonly names: readonly string[] };

/** An answer without its evidence. */
export interface Verdict {
  /** In the order of the answer. */
  readonly targets: readonly Target[];
  readonly problem: ErrorType | null;
}

/** A change that would have led to another answer. */
export interface VerdictChange {
  readonly change: Change;
  /** The change in words: `without GPU has fallen off the bus on node-03`. */
  readonly said: string;
  readonly verdict: Verdict;
}
