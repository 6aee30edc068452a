import type { Symptom } from '../../core/symptom.ts';
import type { ErrorCategory } from '../../core/target.ts';
import type { ReasoningContext } from '../context.ts';

/** What concerns the job as a whole rather than a node. */
export interface JobCause {
  readonly category: ErrorCategory;
  /** At least one, the most telling first. */
  readonly symptoms: readonly Symptom[];
  /** One sentence for the evidence: why the job and not a node; null where the lines speak for themselves. */
  readonly said: string | null;
}

/**
 * What has been decided so far. Nodes are accused by the initiating symptoms that blame them, so that a step spares a
 * node by giving its symptoms another role; a job cause, once found, is the whole answer.
 */
export interface Judgement {
  readonly symptoms: readonly Symptom[];
  readonly job: JobCause | null;
}

/** One step of conclude: pure, one file and one test each; the order stands in `conclude.ts`. */
export interface Step {
  readonly name: string;
  run(judgement: Judgement, context: ReasoningContext): Judgement;
}

/** Initiating symptoms that hold their node responsible. */
export function accusing(symptoms: readonly Symptom[]): readonly Symptom[] {
  return symptoms.filter(
    symptom => symptom.role === 'initiating' && symptom.blames === 'node' && symptom.node !== null,
  );
}

/** Initiating symptoms that hold the job responsible. */
export function jobRoots(symptoms: readonly Symptom[]): readonly Symptom[] {
  return symptoms.filter(symptom => symptom.role === 'initiating' && symptom.blames === 'job');
}

/** Symptoms with some replaced by what `change` makes of them; the rest stay the same objects. */
export function changed(
  symptoms: readonly Symptom[],
  of: readonly Symptom[],
  change: (symptom: Symptom) => Symptom,
): readonly Symptom[] {
  const ids = new Set(of.map(symptom => symptom.id));
  if (ids.size === 0) return symptoms;
  return symptoms.map(symptom => (ids.has(symptom.id) ? change(symptom) : symptom));
}
