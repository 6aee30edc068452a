import type { Origin } from '../../core/batch.ts';
import type { Evidence, EvidenceKind } from '../../core/outcome.ts';
import type { Observation, Symptom } from '../../core/symptom.ts';
import { excerpt } from './excerpt.ts';

const kinds: Readonly<Record<Origin, EvidenceKind>> = {
  kernel: 'kernel_log',
  scheduler: 'scheduler',
  exporter: 'metric',
  health: 'health_check',
  job: 'job_text',
};

/** The citation of one line or sample. */
export function cite(symptom: Symptom, observation: Observation): Evidence {
  const captured = Object.values(observation.captures).toSorted((a, b) => b.length - a.length);
  return {
    kind: kinds[observation.origin],
    source: observation.source,
    observedAt: observation.instant.nanos,
    node: observation.node ?? symptom.node,
    message: excerpt(observation.text, captured[0] ?? null),
    reference: observation.reference,
  };
}

/** A remark of ours beside the citations. */
export function note(message: string, node: string | null = null): Evidence {
  return { kind: 'note', source: 'attribution-adapter', observedAt: null, node, message, reference: null };
}
