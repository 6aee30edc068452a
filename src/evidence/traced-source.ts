import type { Batch } from '../core/batch.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { CollectPlan, Source } from '../core/ports.ts';
import { beginSpan, type OpenSpan, type Tracer } from '../core/tracing.ts';

/** What a source yields, each step of it inside the span of the source. */
export interface TracedReading {
  readonly batches: AsyncGenerator<Batch, readonly SourceCoverage[], void>;
  /** Ends the span of a source that is no longer waited for. */
  abandon(): void;
}

export function readTraced(
  source: Source,
  plan: CollectPlan,
  signal: AbortSignal,
  tracer: Tracer | undefined,
): TracedReading {
  const batches = source.collect(plan, signal);
  if (tracer === undefined) return { batches, abandon() {} };
  const span = beginSpan(tracer, 'collect source', { attributes: { 'attribution.source': source.name } });
  return {
    batches: inside(span, batches),
    abandon() {
      span.fail('abandoned');
      span.end();
    },
  };
}

async function* inside(span: OpenSpan, batches: TracedReading['batches']): TracedReading['batches'] {
  let handedOn = 0;
  try {
    for (;;) {
      const step = await span.run(() => batches.next());
      if (step.done === true) {
        span.set({ 'attribution.batches': handedOn, 'attribution.coverage': statusesOf(step.value) });
        return step.value;
      }
      handedOn += 1;
      yield step.value;
    }
  } catch (error) {
    span.fail(error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
    await batches.return([]);
  }
}

/** Every status that some node has, and no node. */
function statusesOf(coverage: readonly SourceCoverage[]): string {
  const statuses = coverage.flatMap(({ groups }) => groups.map(({ status }) => status));
  return [...new Set(statuses)].sort().join(' ');
}
