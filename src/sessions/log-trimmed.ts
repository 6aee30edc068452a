import type { Log } from '../core/ports.ts';

/** Says what a session too large for its limit had to give up. */
export function logTrimmed(log: Log, sessionId: string, trimmed: readonly string[]): void {
  if (trimmed.length === 0) return;
  log.warn({ session: sessionId, given_up: trimmed }, 'session trimmed to its size limit');
}
