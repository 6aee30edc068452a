import type { Clock } from '../core/ports.ts';
import { millisecond } from '../core/time.ts';

/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => BigInt(Date.now()) * millisecond,
  elapsedMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, Math.min(ms, longestTimerMs)));
    return () => clearTimeout(timer);
  },
};
