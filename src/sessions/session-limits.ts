import { minute, type Nanos } from '../core/time.ts';

/** What one session may take, and how many there may be. */
export interface SessionLimits {
  /** Of one stored session. */
  readonly compressedBytes: number;
  /** Bounds what is turned into JSON on the event loop, and read back. */
  readonly textLength: number;
  /** The newest answers kept with a session. */
  readonly answers: number;
  /** A session ends so long after it was opened. */
  readonly lifetimeNanos: Nanos;
  /** Beyond so many the oldest end. */
  readonly sessions: number;
}

export const defaultSessionLimits: SessionLimits = {
  compressedBytes: 8 * 1024 * 1024,
  textLength: 64 * 1024 * 1024,
  answers: 200,
  lifetimeNanos: 30n * 24n * 60n * minute,
  sessions: 100_000,
};
