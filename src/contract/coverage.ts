import type { EpochNanos } from './vocabulary.ts';

/** What was proved about a group of nodes; `unknown` is the zero value and `complete` needs a positive count. */
export const coverageStatuses = [
  'unknown',
  'complete',
  'silent',
  'absent',
  'truncated',
  'failed',
  'timed_out',
  'not_configured',
] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

export interface CoverageGroup {
  readonly status: CoverageStatus;
  /** A host list, such as `node-[01-64]`; empty for sources that are not read by node. */
  readonly nodes: string;
  readonly count: number;
  /** Why, where the status is no success: no secrets, no excerpts. */
  readonly reason: string | null;
}

/** What one source was asked and what it proved, for one origin. */
export interface SourceCoverage {
  readonly source: string;
  readonly origin: 'kernel' | 'scheduler' | 'exporter' | 'health' | 'job';
  readonly window: { readonly from: EpochNanos; readonly to: EpochNanos } | null;
  readonly query: string | null;
  /** What the source itself filtered by; null where it was read whole. */
  readonly filter: string | null;
  readonly streams: number;
  readonly lines: number;
  readonly bytes: number;
  readonly groups: readonly CoverageGroup[];
  /** The part of the window that still lay ahead; guards judge the past part only. */
  readonly notYet: { readonly from: EpochNanos; readonly to: EpochNanos } | null;
  readonly remarks: readonly string[];
}
