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
  'decisive-confirmed': { right: 110, of: 110, confidence: 0.99 },
  decisive: { right: 540, of: 542, confidence: 0.989 },
  'local-confirmed': { right: 53, of: 54, confidence: 0.977 },
  local: { right: 455, of: 460, confidence: 0.976 },
  reported: { right: 172, of: 177, confidence: 0.943 },
  'job-text': { right: 166, of: 171, confidence: 0.9 },
};
