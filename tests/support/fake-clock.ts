import type { Clock } from '../../src/core/ports.ts';
import { millisecond, type Nanos } from '../../src/core/time.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on, running what falls due in order, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Timers not yet run nor cancelled. */
  pending(): number;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** 2026-09-09T12:00:00Z unless told otherwise. */
export function fakeClock(start: Nanos = 1_788_955_200n * 1_000n * millisecond): FakeClock {
  let elapsedMs = 0;
  let timers: Timer[] = [];
  let order = 0;

  function nextDue(untilMs: number): Timer | undefined {
    return timers
      .filter(timer => timer.dueMs <= untilMs)
      .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  }

  return {
    now: () => start + BigInt(Math.floor(elapsedMs)) * millisecond,
    elapsedMs: () => elapsedMs,
    after(ms, run) {
      order += 1;
      const timer: Timer = { dueMs: elapsedMs + Math.max(0, Math.min(ms, 2 ** 31 - 1)), order, run };
      timers.push(timer);
      return () => {
        timers = timers.filter(other => other !== timer);
      };
    },
    async advance(ms) {
      const until = elapsedMs + ms;
      await settle();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        const due = timer;
        timers = timers.filter(other => other !== due);
        elapsedMs = Math.max(elapsedMs, due.dueMs);
        due.run();
        await settle();
      }
      elapsedMs = until;
    },
    pending: () => timers.length,
  };
}

/** Lets everything that waits on promises, and not on time or I/O, run to its end. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
}
