import type { Clock } from '../../core/ports.ts';
import type { Scheduler, Told } from './scheduler.ts';

/** An answer is good for so long: a request asks where its job ran, and right afterwards how it ended. */
const freshMs = 15_000;
const mostRemembered = 8;

/** Spares the scheduler's database a question that was answered a moment ago. What failed is asked anew. */
export function remembering(scheduler: Scheduler, clock: Clock): Scheduler {
  const remembered = new Map<string, { readonly atMs: number; readonly told: unknown }>();
  const once = async <T>(key: string, ask: () => Promise<Told<T>>): Promise<Told<T>> => {
    const known = remembered.get(key);
    if (known !== undefined && clock.elapsedMs() - known.atMs < freshMs) return known.told as Told<T>;
    const told = await ask();
    if (told.trouble !== null) return told;
    remembered.delete(key);
    remembered.set(key, { atMs: clock.elapsedMs(), told });
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    return told;
  };
  return {
    job: (id, signal) => once(`job ${id.wanted}`, () => scheduler.job(id, signal)),
    nodes: (names, signal) => once(`nodes ${names.join(' ')}`, () => scheduler.nodes(names, signal)),
    maintenance: signal => once('maintenance', () => scheduler.maintenance(signal)),
    examine: signal => scheduler.examine(signal),
    close: () => scheduler.close(),
  };
}
