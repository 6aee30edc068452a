import type { MetricNeed, Source } from '../../core/ports.ts';
import { type ProviderState, type SourceState, working } from '../../core/readiness.ts';
import type { RecognitionPool } from '../../engine/recognition.ts';

export interface StateParts {
  readonly sources: readonly Source[];
  readonly metrics?: readonly MetricNeed[];
  readonly pool: Pick<RecognitionPool, 'broken'>;
}

/** With some source readable there are answers; with all of them broken there is nothing to answer from. */
export async function rulesProviderState(parts: StateParts, signal: AbortSignal): Promise<ProviderState> {
  const sources = await sourceStates(parts, signal);
  const broken = parts.pool.broken();
  if (broken !== null) return { works: false, reason: broken.message, sources };
  if (sources.length > 0 && sources.every(({ works }) => !works)) {
    return { works: false, reason: 'no source can be read', sources };
  }
  return { ...working, sources };
}

/** What each source says for itself; one that does not answer before `signal` aborts does not work. */
export function sourceStates(
  { sources, metrics = [] }: Pick<StateParts, 'sources' | 'metrics'>,
  signal: AbortSignal,
): Promise<readonly SourceState[]> {
  return Promise.all(
    sources.map(async (source): Promise<SourceState> => {
      const reason = await complaint(source, metrics, signal);
      return { source: source.name, works: reason === null, reason };
    }),
  );
}

async function complaint(
  source: Source,
  metrics: readonly MetricNeed[],
  signal: AbortSignal,
): Promise<string | null> {
  const late = Promise.withResolvers<string>();
  // One that ends by the signal says more of what went wrong.
  const giveUp = (): void => void setImmediate(() => late.resolve('did not answer in time'));
  signal.addEventListener('abort', giveUp, { once: true });
  if (source.examine === undefined) return null;
  const checks = source.examine({ metrics }, signal);
  const said = checks.then(all => all.find(({ verdict }) => verdict === 'fail')?.says ?? null);
  return Promise.race([said, late.promise]);
}
