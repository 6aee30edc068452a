import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';

/** What callers met while they were driven. */
export interface Tally {
  readonly seconds: number;
  /** From the moment a call was due to its answer, sorted. */
  readonly milliseconds: readonly number[];
  readonly overloads: number;
  /** Calls that were due over a second before a caller was free for them. */
  readonly late: number;
  /** Each in words. */
  readonly wrong: readonly string[];
  readonly failed: readonly string[];
}

const lateMs = 1_000;

/**
 * When calls are due: at the same distance, or at random moments, as independent callers ask. At random moments and half
 * of what one can serve, queueing alone puts p99 at four times p50 where every call takes the same time.
 */
export type Pace = 'even' | 'random';

/**
 * Has callers ask at `rate` calls a second for so many seconds, each by the caller that has been free the longest. A call
 * that finds nobody free waits, and its wait counts as its caller's.
 */
export async function drive(
  callers: readonly Caller[],
  rate: number,
  seconds: number,
  pace: Pace,
): Promise<Tally> {
  const free = [...callers];
  const due: number[] = [];
  const atWork = new Set<Promise<void>>();
  const milliseconds: number[] = [];
  const [wrong, failed]: [string[], string[]] = [[], []];
  let [overloads, late] = [0, 0];
  const began = performance.now();
  const end = began + seconds * 1000;

  async function work(caller: Caller, dueAt: number): Promise<void> {
    const waited = performance.now() - dueAt;
    if (waited > lateMs) late += 1;
    const came = await caller.call();
    free.push(caller);
    if (came.kind === 'overload') overloads += 1;
    else if (came.kind === 'failed') failed.push(came.says);
    else {
      milliseconds.push(waited + came.milliseconds);
      if (came.wrong !== null) wrong.push(came.wrong);
    }
    begin();
  }

  function begin(): void {
    while (free.length > 0 && due.length > 0) {
      const [caller, dueAt] = [free.shift(), due.shift()];
      if (caller === undefined || dueAt === undefined) return;
      const working = work(caller, dueAt);
      atWork.add(working);
      void working.finally(() => atWork.delete(working));
    }
  }

  for (let next = began; next < end; ) {
    next += ((pace === 'even' ? 1 : -Math.log(1 - Math.random())) * 1000) / rate;
    const ahead = next - performance.now();
    if (ahead > 1) await sleep(ahead);
    due.push(next);
    begin();
  }
  while (atWork.size > 0) await Promise.all(atWork);
  return {
    seconds: (performance.now() - began) / 1000,
    milliseconds: milliseconds.sort((a, b) => a - b),
    overloads,
    late,
    wrong,
    failed,
  };
}
