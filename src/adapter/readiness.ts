import type { Clock, Provider } from '../core/ports.ts';
import { type ProviderState, type WorkState, working } from '../core/readiness.ts';

export interface ReadinessParts {
  readonly provider: Pick<Provider, 'kind' | 'state'>;
  /** Proves that sessions can be saved; rejects where they cannot. */
  readonly proveStore: () => Promise<void>;
  readonly clock: Clock;
}

export interface ReadinessState {
  readonly ready: boolean;
  readonly store: WorkState;
  readonly provider: ProviderState & { readonly kind: string };
  readonly sources: ProviderState['sources'];
}

/** Whether requests would be answered and their sessions saved. */
export interface Readiness {
  /** Looks every few seconds, however many ask; tells what it last saw, if anything, where a look takes long. Never rejects. */
  look(): Promise<ReadinessState>;
  /** From now on it is not ready: the process is about to end. */
  end(): void;
}

/** Those who ask give up after a second. */
const patienceMs = 800;
/** What has not answered by then does not work. */
const lookMs = 5_000;
const graceMs = 500;
/** Sources are somebody else's servers: many askers do not become many questions. */
const keptMs = 15_000;
/** What is broken is looked at again soon. */
const brokenKeptMs = 3_000;

export function createReadiness({ provider, proveStore, clock }: ReadinessParts): Readiness {
  const store = watched<WorkState>(clock, {
    look: () => proveStore().then(() => working, failed),
    isGood: ({ works }) => works,
    late: { works: false, reason: 'the store did not write in time' },
  });
  const providing = watched<ProviderState>(clock, {
    look: async signal => {
      try {
        return (await provider.state?.(signal)) ?? { ...working, sources: [] };
      } catch (error) {
        return { ...failed(error), sources: [] };
      }
    },
    isGood: ({ works, sources }) => works && sources.every(source => source.works),
    late: { works: false, reason: 'the provider did not answer in time', sources: [] },
  });
  let ending = false;
  return {
    async look() {
      const [storing, answering] = await Promise.all([store(), providing()]);
      return {
        ready: storing.works && answering.works && !ending,
        store: storing,
        provider: { ...answering, kind: provider.kind },
        sources: answering.sources,
      };
    },
    end() {
      ending = true;
    },
  };
}

function failed(error: unknown): WorkState {
  return { works: false, reason: error instanceof Error ? error.message : 'unknown reason' };
}

interface Watch<T> {
  /** Resolves soon after `signal` aborts; does not reject. */
  look(signal: AbortSignal): Promise<T>;
  isGood(value: T): boolean;
  /** What is told of one that never came back. */
  readonly late: T;
}

/** One look at a time, its result kept for some seconds. */
function watched<T>(clock: Clock, { look, isGood, late }: Watch<T>): () => Promise<T> {
  let known: { readonly value: T; readonly untilMs: number } | null = null;
  let looking: Promise<T> | null = null;

  async function lookNow(): Promise<T> {
    const tooLate = new AbortController();
    const cancel = clock.after(lookMs, () => tooLate.abort());
    const value = await within(clock, lookMs + graceMs, look(tooLate.signal), late);
    cancel();
    known = { value, untilMs: clock.elapsedMs() + (isGood(value) ? keptMs : brokenKeptMs) };
    looking = null;
    return value;
  }

  return async () => {
    if (known !== null && clock.elapsedMs() < known.untilMs) return known.value;
    looking ??= lookNow();
    return known === null ? looking : within(clock, patienceMs, looking, known.value);
  };
}

/** The work's result, or `late` where it takes longer. */
async function within<T>(clock: Clock, atMostMs: number, work: Promise<T>, late: T): Promise<T> {
  const over = Promise.withResolvers<T>();
  const cancel = clock.after(atMostMs, () => over.resolve(late));
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    cancel();
  }
}
