import type { Clock } from '../../core/ports.ts';
import { millisecond } from '../../core/time.ts';
import type { HttpFailure } from './failure.ts';

export interface RetrySettings {
  /** Further attempts at the most. */
  readonly retries: number;
  /** Longest wait before the first of them; each next one may be twice as long. */
  readonly baseMs: number;
  /** A server that asks for more patience than this is not asked again. */
  readonly patienceMs: number;
}

/** Whether the same request may succeed if it is sent again. What took too long once is not tried twice. */
function isPassing({ kind, status }: HttpFailure): boolean {
  if (kind === 'status') return status === 429 || status === 500 || (status !== null && status > 501);
  return kind === 'refused' || kind === 'reset';
}

/**
 * How long to wait before the attempt after `failed` (counted from 0), or null where there shall be none. Waits are
 * spread at random, so that callers that failed together do not come back together.
 */
export function waitBeforeRetry(
  failed: HttpFailure,
  attempt: number,
  settings: RetrySettings,
  random: () => number,
): number | null {
  if (attempt >= settings.retries || !isPassing(failed)) return null;
  const spread = settings.baseMs * 2 ** attempt * random();
  const asked = failed.retryAfterMs ?? 0;
  return asked > settings.patienceMs ? null : Math.max(spread, asked);
}

/** `Retry-After` in milliseconds: seconds, or a date. Null where it is neither. */
export function retryAfterMs(header: string | null, clock: Clock): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = /^[A-Z][a-z]{2}, [\w :]{1,40}$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Number(clock.now() / millisecond));
}

/** Waits; false where the signal aborted first. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise(resolve => {
    const end = (waited: boolean): void => {
      cancel();
      signal.removeEventListener('abort', leave);
      resolve(waited);
    };
    const leave = (): void => end(false);
    const cancel = clock.after(ms, () => end(true));
    signal.addEventListener('abort', leave, { once: true });
  });
}
