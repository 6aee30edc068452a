import type { Clock } from '../../core/ports.ts';

/** Spares a server that keeps failing, and its callers the wait. */
export interface Breaker {
  /** Whether a request may go out; once the pause is over, one may at a time. */
  admits(): boolean;
  /** What became of an admitted request: null where that says nothing about the server. */
  record(healthy: boolean | null): void;
}

/** Opens after so many failures in a row, for `pauseMs`; then one request is let through to try. */
export function createBreaker(
  { failures, pauseMs }: { readonly failures: number; readonly pauseMs: number },
  clock: Clock,
  onOpen: () => void,
): Breaker {
  let inARow = 0;
  let openSince: number | null = null;
  let trying = false;
  return {
    admits() {
      if (openSince === null) return true;
      if (trying || clock.elapsedMs() - openSince < pauseMs) return false;
      trying = true;
      return true;
    },
    record(healthy) {
      trying = false;
      if (healthy === null) return;
      if (healthy) {
        inARow = 0;
        openSince = null;
        return;
      }
      inARow += 1;
      if (inARow < failures) return;
      if (openSince === null) onOpen();
      openSince = clock.elapsedMs();
    },
  };
}
