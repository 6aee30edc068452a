import type { SourceCoverage } from '../../core/coverage.ts';
import type { Clock, CollectPlan, Log, Source } from '../../core/ports.ts';
import type { Symptom } from '../../core/symptom.ts';
import { beginSpan, type Tracer } from '../../core/tracing.ts';
import type { RecognitionPool } from '../../engine/recognition.ts';
import { collect } from '../../evidence/collect.ts';

/** What one collection found and what it proved. */
export interface Reading {
  readonly symptoms: readonly Symptom[];
  readonly coverage: readonly SourceCoverage[];
  /** True where `signal` cut the collection short. */
  readonly cut: boolean;
}

export interface ReadingParts {
  readonly sources: readonly Source[];
  readonly pool: RecognitionPool;
  readonly log: Log;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
  /** What the time for locating runs out by; the machine's where absent. */
  readonly clock?: Pick<Clock, 'after'>;
}

/**
 * Collects by the plan and recognises while it still reads. `interim` is called, at growing distances, with what has
 * been recognised so far, so that a deadline finds something to report.
 */
export async function readEvidence(
  parts: ReadingParts,
  plan: CollectPlan,
  signal: AbortSignal,
  interim: (symptoms: readonly Symptom[]) => void,
): Promise<Reading> {
  const { tracer } = parts;
  const recognition = parts.pool.open();
  const span = beginSpan(tracer, 'recognize');
  let submitted = 0;
  try {
    const batches = collect(parts.sources, plan, signal, parts.log, { tracer });
    let nextInterim = firstInterimBatches;
    for (;;) {
      const step = await batches.next();
      if (step.done === true) {
        const symptoms = await recognition.symptoms();
        span.set({ 'attribution.batches': submitted, 'attribution.symptoms': symptoms.length });
        return { symptoms, coverage: step.value, cut: signal.aborted };
      }
      await recognition.submit(step.value);
      submitted += 1;
      if (submitted === nextInterim) {
        nextInterim *= 4;
        interim(await recognition.symptoms());
      }
    }
  } finally {
    recognition.end();
    span.end();
  }
}

/** Batches hold up to 1 MiB: the first interim answer comes after about 256 MiB, the next after a gigabyte. */
const firstInterimBatches = 256;
