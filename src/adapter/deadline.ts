import type { Clock } from '../core/ports.ts';

export interface DeadlineTimes {
  /** From the request's arrival to the signal that reading should end. */
  readonly softMs: number;
  /** From the request's arrival to the answer, whatever is known by then. */
  readonly hardMs: number;
}

const leastReserveMs = 100;
const reserveShare = 0.1;
const patienceShare = 0.25;

/** The reserve is 10 % of the time allowed, at least 100 ms, at most half of it. Zero or less allows nothing. */
export function deadlineTimes(timeoutMs: number, maxTimeoutMs: number): DeadlineTimes {
  const hardMs = Math.max(0, Math.min(timeoutMs, maxTimeoutMs));
  const reserveMs = Math.min(Math.max(leastReserveMs, hardMs * reserveShare), hardMs / 2);
  return { softMs: hardMs - reserveMs, hardMs };
}

/** A deadline that runs. */
export interface Deadline {
  /** Aborts when reading should end, or at once when the caller has gone away. */
  readonly soft: AbortSignal;
  /** Whether the time is up. */
  isOver(): boolean;
  /** The promise's value, or null if the time is up first. The promise itself goes on. */
  within<T>(promise: Promise<T>): Promise<T | null>;
  /** The promise's value, or null once a quarter of the time is up: for what the answer can do without. */
  patiently<T>(promise: Promise<T>): Promise<T | null>;
  /** Ends the reading now; the answer is waited for so long, or the reserve if that is shorter. */
  hurry(atMostMs: number): void;
  /** Cancels the timers. */
  end(): void;
}

/** What `soft` aborts with: a provider that lets it escape was cut, and did not fail. */
export class DeadlineNear extends Error {
  constructor() {
    super('the deadline is near');
    this.name = 'DeadlineNear';
  }
}

/** Starts now. A caller that hangs up ends the reading, and the answer is no longer waited for beyond the reserve. */
export function startDeadline(clock: Clock, times: DeadlineTimes, hungUp?: AbortSignal): Deadline {
  const controller = new AbortController();
  const over = Promise.withResolvers<null>();
  let isOver = times.hardMs <= 0;
  const finish = (): void => {
    isOver = true;
    over.resolve(null);
  };
  const near = (): void => controller.abort(new DeadlineNear());
  const timers = [clock.after(times.softMs, near), clock.after(times.hardMs, finish)];
  const startedMs = clock.elapsedMs();
  /** Few requests wait for anything they can do without. */
  const impatient = (): Promise<null> =>
    new Promise(resolve => {
      const spentMs = clock.elapsedMs() - startedMs;
      timers.push(clock.after(times.hardMs * patienceShare - spentMs, () => resolve(null)));
    });
  const reserveMs = times.hardMs - times.softMs;
  const hurry = (atMostMs: number): void => {
    near();
    timers.push(clock.after(Math.min(reserveMs, atMostMs), finish));
  };
  const leave = (): void => hurry(reserveMs);
  if (hungUp?.aborted === true) leave();
  else hungUp?.addEventListener('abort', leave, { once: true });

  return {
    soft: controller.signal,
    isOver: () => isOver,
    within: promise => Promise.race([promise, over.promise]),
    patiently: promise => Promise.race([promise, impatient()]),
    hurry,
    end() {
      for (const cancel of timers) cancel();
      hungUp?.removeEventListener('abort', leave);
    },
  };
}
