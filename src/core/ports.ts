import type { AttributionRequest } from '../contract/index.ts';
import type { Batch, Origin } from './batch.ts';
import type { SourceCoverage } from './coverage.ts';
import type { Past } from './history.ts';
import type { Outcome } from './outcome.ts';
import type { PushedObservation } from './pushed.ts';
import type { ProviderState } from './readiness.ts';
import type { Session, SessionBinding, SessionPart } from './session.ts';
import type { Nanos, Window } from './time.ts';

/** Time, passed in so that tests own it. */
export interface Clock {
  /** Wall clock. */
  now(): Nanos;
  /** Milliseconds on a clock that never jumps. */
  elapsedMs(): number;
  /** Runs once after `ms` (clamped to 2^31-1); returns the way to cancel it. */
  after(ms: number, run: () => void): () => void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Structured log. No secrets, no excerpts, no `user_id` in fields or messages. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

export type MetricLabels = Readonly<Record<string, string>>;

/** Counters, distributions and gauges; no node, job or user in labels. */
export interface Metrics {
  count(name: string, labels: MetricLabels, by?: number): void;
  observe(name: string, labels: MetricLabels, value: number): void;
  set(name: string, labels: MetricLabels, value: number): void;
}

/** A node as a source knows it. */
export interface NodeIdentity {
  readonly name: string;
  /** Other names and addresses under which evidence may speak of it. */
  readonly aliases: readonly string[];
}

/** What a source knows about a workload before anything is read. */
export interface Located {
  readonly source: string;
  /** All nodes that it knows of the workload; empty where not all could be read in time. */
  readonly nodes: readonly NodeIdentity[];
  /** Whether the scheduler's words about the job name them, or the evidence merely speaks of them. */
  readonly nodesFrom: 'scheduler' | 'evidence';
  readonly jobStart: Nanos | null;
  readonly jobEnd: Nanos | null;
  /** Last stamp of the job's own text; an end only where nothing better tells. */
  readonly jobLastStamp: Nanos | null;
  /** One sentence an answer can quote: where nodes and times come from. */
  readonly said: string;
  /** Slurm's number of the job, where the request names none and the source alone tells which is meant. */
  readonly job?: string | null;
}

/**
 * A metric that rules look at, and what a series of it must have done inside the window to matter. `threshold` is in
 * the metric's own unit, 0 where it changed.
 */
export interface MetricNeed {
  readonly metric: string;
  readonly when: 'changed' | 'increased_by' | 'above' | 'below' | 'away_from_median_by';
  readonly threshold: number;
}

/** What one collection is to read. */
export interface CollectPlan {
  readonly request: AttributionRequest;
  readonly windows: readonly Window[];
  /** Epilog window of a slow request; only health sources read it. */
  readonly epilogWindow: Window | null;
  /** Empty: whatever the source has. */
  readonly nodes: readonly NodeIdentity[];
  /** Substrings that every keyword of every line rule of an origin contains one of: what a server may filter by. */
  readonly cover: Readonly<Partial<Record<Origin, readonly string[]>>>;
  /** What sources of samples are asked for; absent: nothing. */
  readonly metrics?: readonly MetricNeed[];
  /** What of `windows` is to be read, null meaning all; the epilog window is read in any case. */
  readonly only: readonly SourceNeed[] | null;
  /** Reads everything a source holds, whatever the window: for `analyze` without times. */
  readonly everything: boolean;
}

export interface SourceNeed {
  readonly source: string;
  /** Empty: all nodes. */
  readonly nodes: readonly string[];
}

/** One thing about a source that was looked at outside any request. */
export interface SourceCheck {
  readonly verdict: 'pass' | 'warn' | 'fail';
  /** One sentence; no secret and no address. */
  readonly says: string;
  /** What to do, a line each, such as the very lines of somebody else's settings; empty where all is well. */
  readonly remedy: readonly string[];
}

/** What requests will ask of a source. */
export interface SourceWants {
  readonly metrics: readonly MetricNeed[];
}

/**
 * One place evidence comes from. `collect` yields batches and returns its coverage, also when it failed or was cut:
 * expected failures are values. It stops soon after `signal` aborts. It never filters by meaning.
 */
export interface Source {
  readonly name: string;
  readonly origins: readonly Origin[];
  locate?(request: AttributionRequest, signal: AbortSignal): Promise<Located | null>;
  collect(plan: CollectPlan, signal: AbortSignal): AsyncGenerator<Batch, readonly SourceCoverage[], void>;
  /** Whether it can be reached, knows nodes, reaches back far enough and holds what rules need; for `doctor`. */
  examine?(wants: SourceWants, signal: AbortSignal): Promise<readonly SourceCheck[]>;
  close?(): Promise<void>;
}

/** The session as a provider sees it: what is known, and where to put what must survive. */
export interface SessionView {
  readonly session: Session;
  keep(part: SessionPart): void;
}

/** What a provider is given besides the request. */
export interface ProviderContext {
  readonly session: SessionView;
  /** Absent where nothing is remembered. */
  readonly history?: Past;
  /** Wall clock of the request's arrival. */
  readonly now: Nanos;
  /** Aborts at the deadline minus the reserve; afterwards the provider has the reserve to resolve. */
  readonly soft: AbortSignal;
  /** The best answer so far; any number of times. */
  report(outcome: Outcome): void;
  readonly log: Log;
}

/** What answers. Construction failures are start-up errors; a throw is `service_error`. */
export interface Provider {
  readonly kind: string;
  /** Hash of whatever decides answers besides the evidence (the corpus), or null. */
  readonly corpusHash: string | null;
  attribute(request: AttributionRequest, context: ProviderContext): Promise<Outcome>;
  /**
   * Takes in observations that were pushed to a session, and returns what the session is to hold then; taking in the
   * same ones again changes nothing. Absent: the provider does not look at what is pushed.
   */
  absorb?(
    request: AttributionRequest,
    session: Session,
    pushed: AsyncIterable<PushedObservation>,
  ): Promise<SessionPart>;
  /** Whether it could answer now, for readiness; resolves soon after `signal` aborts. Absent: it always can. */
  state?(signal: AbortSignal): Promise<ProviderState>;
  close?(): Promise<void>;
}

export type UpdateResult = 'updated' | 'conflict' | 'unknown';

/** `repeated`: the same content is already there, or was and has been absorbed. `unknown`: nothing was kept. */
export type AppendResult = 'appended' | 'repeated' | 'unknown';

/** Joins fast and slow. What `open` and `update` resolved survives a crash of the process (memory excepted). */
export interface SessionStore {
  /** Saves a new session under its id. */
  open(session: Session): Promise<void>;
  /** The session, or null where the id is unknown, expired or bound otherwise. */
  get(id: string, binding: SessionBinding): Promise<Session | null>;
  /**
   * Replaces the stored session if its version still is `session.version`; stores it with version + 1. Pushed bytes up
   * to `absorbed`, a mark, are marked as absorbed with it, or not at all: nobody else absorbs them a second time. It
   * may be asked for while `open` of that session has not resolved, and comes after it.
   */
  update(session: Session, absorbed?: number): Promise<UpdateResult>;
  /** Appends pushed bytes once per content. */
  append(id: string, bytes: Uint8Array): Promise<AppendResult>;
  /** Pushed bytes not yet absorbed, oldest first and at most `limit` pieces, with the mark to hand back once they are. */
  unread(
    id: string,
    limit?: number,
  ): Promise<{ readonly chunks: readonly Uint8Array[]; readonly mark: number }>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
