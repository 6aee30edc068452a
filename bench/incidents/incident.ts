/** What was really at fault: one node, the job, what many nodes share, nothing that evidence tells, or nobody. */
export type TruthKind = 'node' | 'job' | 'shared' | 'unknowable' | 'ended';

/** What happened, as only the generator knows. */
export interface Truth {
  readonly kind: TruthKind;
  /** The node at fault where evidence of it remains. */
  readonly node: string | null;
  /** The node at fault where nothing tells it any more. */
  readonly hidden: string | null;
  readonly family: string;
  /** Categories that describe it; empty where none is due. */
  readonly categories: readonly string[];
  /** What tempts to name a node that is not at fault. */
  readonly decoys: readonly Decoy[];
  /** Whether the kernel log of the node at fault is missing. */
  readonly culpritLogMissing: boolean;
  /** Only what the epilog saw proves it: the fast answer is to be nobody. */
  readonly provenLate: boolean;
}

export interface Decoy {
  readonly node: string;
  readonly what: string;
}

/** A line as it was said: its true time in milliseconds since 1970, and whose it is. For engines that need no parser. */
export interface SaidLine {
  readonly at: number;
  readonly node: string | null;
  readonly text: string;
}

/** One failed job: the request about it, the files that remain, and the truth. */
export interface Incident {
  readonly id: string;
  readonly nodes: number;
  /** Clock of whoever asks, RFC 3339. */
  readonly now: string;
  readonly request: IncidentRequest;
  /** Texts by path below `evidence/`. */
  readonly files: ReadonlyMap<string, string>;
  /** What the second request asks, and what has arrived by then. */
  readonly slow: { readonly request: IncidentRequest; readonly files: ReadonlyMap<string, string> } | null;
  readonly truth: Truth;
  readonly lines: readonly SaidLine[];
}

/** The body of `POST /v1/attribution`, as the contract spells it. */
export interface IncidentRequest {
  readonly schema_version: string;
  readonly workload_id: string;
  readonly scope: {
    readonly nodes: readonly string[];
    readonly ranks: readonly number[];
    readonly start_time?: string;
    readonly end_time?: string;
  };
  readonly failure_context: { readonly detected_at: string; readonly detection_signal: string };
  readonly timeout_ms: number;
  readonly workload_context: {
    readonly workflow_id: string;
    readonly attempt_index: number;
    readonly job_end_time?: string;
  };
  readonly phase: 'fast' | 'slow';
}
