import type { Nanos } from './time.ts';

/** An answer as it was given, kept for those who ask months later. */
export interface AuditEntry {
  readonly requestId: string;
  /** The session it belongs to, or null where there was none. */
  readonly sessionId: string | null;
  readonly workloadId: string;
  readonly at: Nanos;
  /** The whole of it as JSON: answer, hashes of what it was made from, coverage, what was taken for what. Redacted. */
  readonly body: string;
}

/** Answers for 400 days unless set otherwise, up to a number of bytes. What `record` resolved survives a crash (memory excepted). */
export interface AuditStore {
  record(entry: AuditEntry): Promise<void>;
  /** Entries of which this is the request, the session or the workload, the newest first and at most `limit`. */
  find(id: string, limit: number): Promise<readonly AuditEntry[]>;
  close(): Promise<void>;
}

export interface AuditLimits {
  readonly keptNanos: Nanos;
  /** Of bodies as they are kept; beyond it the oldest entries go. */
  readonly bytes: number;
}
