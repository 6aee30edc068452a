import { minute, type Nanos } from '../core/time.ts';

export interface HistoryLimits {
  /** Rows older than this are forgotten, by when they were recorded. */
  readonly keptNanos: Nanos;
  /** Beyond so many rows the oldest are forgotten. */
  readonly rows: number;
}

export const defaultHistoryLimits: HistoryLimits = { keptNanos: 14n * 24n * 60n * minute, rows: 200_000 };
