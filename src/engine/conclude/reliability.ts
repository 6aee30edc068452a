import type { ProofLevel } from './proof-level.ts';

/** How often nodes named on a level of proof were at fault in incidents whose cause is known. */
export interface Reliability {
  readonly right: number;
  readonly of: number;
  /** What a finding of this level says: the share that these counts leave no doubt about, or less. */
  readonly confidence: number;
}

/**
 * Written by `make eval FIT=1`, from seeds that nothing else is measured on; do not edit. No two levels have the same
 * confidence, so that a number tells its level.
 */
export const reliability: Readonly<Record<ProofLevel, Reliability>> = {
  'decisive-confirmed': { right: 350, of: 351, confidence: 0.987 },
  decisive: { right: 300, of: 301, confidence: 0.985 },
  'local-confirmed': { right: 323, of: 324, confidence: 0.986 },
  local: { right: 185, of: 190, confidence: 0.946 },
  reported: { right: 172, of: 177, confidence: 0.943 },
  'job-text': { right: 167, of: 172, confidence: 0.9 },
};
