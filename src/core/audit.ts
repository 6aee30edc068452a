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
  /** Entries after a place, the oldest first and at most `limit`; `next` is the place of the last, or null at the end. */
  page(
    after: AuditPlace,
    limit: number,
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: AuditPlace | null }>;
  close(): Promise<void>;
}

/** Where an entry stands in the order of time; id 0 stands before all of its moment. */
export interface AuditPlace {
  readonly at: Nanos;
  readonly id: bigint;
}

export interface AuditLimits {
  readonly keptNanos: Nanos;
  /** Of bodies as they are kept; beyond it the oldest entries go. */
  readonly bytes: number;
}
