import type { Clock, SourceCheck } from '../core/ports.ts';
import type { Told } from './log-store/log-store.ts';

export const pass = (says: string): SourceCheck => ({ verdict: 'pass', says, remedy: [] });

export const warn = (says: string, ...remedy: readonly string[]): SourceCheck => ({
  verdict: 'warn',
  says,
  remedy,
});

export const fail = (says: string, ...remedy: readonly string[]): SourceCheck => ({
  verdict: 'fail',
  says,
  remedy,
});

/** Slower than this, a source takes a large share of the time a caller gives. */
const slowMs = 2000;

/** Asks a source its first question: whether it answers, and how fast. */
export async function firstAnswer<T>(
  clock: Clock,
  ask: () => Promise<Told<T>>,
): Promise<{ readonly told: Told<T>; readonly check: SourceCheck }> {
  const began = clock.elapsedMs();
  const told = await ask();
  const ms = Math.round(clock.elapsedMs() - began);
  if (!told.ok) return { told, check: fail(told.trouble.reason) };
  const says = `answered in ${ms} ms`;
  const check =
    ms > slowMs ? warn(says, 'look at its load: callers wait some seconds for an answer') : pass(says);
  return { told, check };
}
