import type { Batch } from '../core/batch.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { CollectPlan, Log, Source } from '../core/ports.ts';
import { beginSpan, type Tracer } from '../core/tracing.ts';
import { nothingProved } from './coverage.ts';
import { logBug } from './log-bug.ts';
import { merge } from './merge.ts';
import { readTraced } from './traced-source.ts';

/** How long a source may take to wind up once the signal has aborted; the deadline's reserve is at least twice that. */
export const usualGraceMs = 50;

/** How sources are read. */
export interface ReadOptions {
  readonly graceMs?: number;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Reads every source by one plan under one signal. Batches come first come first served, each source at most one
 * ahead of the consumer. A source that throws is a bug: it is logged and covered as `failed`. One that has not ended
 * `graceMs` after the signal is covered as `timed_out` and no longer waited for.
 */
export async function* collect(
  sources: readonly Source[],
  plan: CollectPlan,
  signal: AbortSignal,
  log: Log,
  { graceMs = usualGraceMs, tracer }: ReadOptions = {},
): AsyncGenerator<Batch, readonly SourceCoverage[], void> {
  const asked = sources.filter(source => isAsked(source, plan));
  const patience = patienceAfter(signal, graceMs);
  const span = beginSpan(tracer, 'collect', { attributes: { 'attribution.sources': asked.length } });
  const readings = asked.map(source => span.run(() => readTraced(source, plan, signal, tracer)));
  try {
    const endings = yield* merge(
      readings.map(({ batches }) => batches),
      patience.signal,
    );
    return asked.flatMap((source, index) => {
      const ending = endings[index];
      if (ending?.kind !== 'returned') readings[index]?.abandon();
      if (ending?.kind === 'returned') return ending.value;
      if (ending?.kind === 'threw') {
        logBug(log, source, 'collect', ending.error);
        return nothingProved(source, plan, 'failed', 'the source broke off with an internal error');
      }
      return nothingProved(source, plan, 'timed_out', 'the source was still busy at the deadline');
    });
  } finally {
    patience.end();
    span.end();
  }
}

/** The epilog window is read in any case; the rest only as far as `only` says. */
function isAsked(source: Source, plan: CollectPlan): boolean {
  if (plan.only === null || plan.only.some(need => need.source === source.name)) return true;
  return plan.epilogWindow !== null && source.origins.includes('health');
}

/** Aborts `graceMs` after `signal` does. */
function patienceAfter(signal: AbortSignal, graceMs: number): { signal: AbortSignal; end: () => void } {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => patience.abort(), graceMs);
  };
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return {
    signal: patience.signal,
    end: () => {
      signal.removeEventListener('abort', start);
      clearTimeout(timer);
    },
  };
}
