import type { SourceCoverage } from './coverage.ts';
import type { HistoryRow } from './history.ts';
import type { Outcome } from './outcome.ts';
import type { Symptom } from './symptom.ts';
import type { Nanos, Window } from './time.ts';
import type { VerdictChange } from './verdict-change.ts';

/** Who and what a session belongs to; a session presented with another binding counts as unknown. */
export interface SessionBinding {
  readonly workloadId: string;
  readonly workflowId: string;
  readonly attemptIndex: number;
  /** The authenticated caller, or null while callers are not authenticated. */
  readonly caller: string | null;
}

export interface StoredAnswer {
  readonly requestId: string;
  readonly phase: 'fast' | 'slow';
  readonly at: Nanos;
  readonly outcome: Outcome;
  /** True where the provider resolved after the caller had been answered. */
  readonly late: boolean;
}

/** What joins the phases fast and slow. At most 8 MiB compressed, 30 days, unless set otherwise. */
export interface Session {
  readonly id: string;
  /** Grows by one with each update; compare-and-set works on it. */
  readonly version: number;
  readonly binding: SessionBinding;
  readonly createdAt: Nanos;
  /** The moment of failure, from the first fast request. */
  readonly moment: Nanos;
  readonly windows: readonly Window[];
  readonly symptoms: readonly Symptom[];
  readonly coverage: readonly SourceCoverage[];
  readonly corpusHash: string | null;
  readonly answers: readonly StoredAnswer[];
  /**
   * That what was seen did not fit and is not held. `read`: it is to be read again, whole, over the same windows;
   * `pushed`: some of it was pushed and cannot be had again, so that what comes later is a remnant that proves nothing.
   */
  readonly forgotten?: 'read' | 'pushed';
  /** What history held when it was first asked: kept, so that a later look at the session sees the same. */
  readonly history?: readonly HistoryRow[];
  /** What would have led to another verdict than the last one; null or absent where that was not reckoned. */
  readonly changes?: readonly VerdictChange[] | null;
}

/** What a provider may have kept with the session. */
export type SessionPart = Pick<
  Session,
  'windows' | 'symptoms' | 'coverage' | 'corpusHash' | 'history' | 'changes'
>;
