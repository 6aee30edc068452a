import type { Symptom } from '../../src/core/symptom.ts';
import { type Conclusion, conclude } from '../../src/engine/conclude/conclude.ts';
import { explain } from '../../src/engine/explain/explain.ts';
import { type ContextSpec, reasoningContext } from './symptoms.ts';

/** What an answer says in short: the targets, with their categories. */
export interface Answer extends Conclusion {
  /** Node names, or `job`. */
  readonly targets: readonly string[];
  readonly categories: readonly string[];
  /** Node names. */
  readonly told: readonly string[];
}

/** Explains and concludes, as the built-in provider does. */
export function answer(symptoms: readonly Symptom[], spec: ContextSpec = {}): Answer {
  const context = reasoningContext(spec);
  const conclusion = conclude(explain(symptoms, context).symptoms, context);
  return {
    ...conclusion,
    targets: conclusion.findings.map(({ target }) => (target.type === 'Node' ? target.node : 'job')),
    categories: conclusion.findings.map(finding => finding.category),
    told: conclusion.unattributed.map(target => (target.type === 'Node' ? target.node : 'job')),
  };
}

/** The role an answer gives to the symptoms of a name. */
export function rolesOf(symptoms: readonly Symptom[], name: string): readonly string[] {
  return [...new Set(symptoms.filter(symptom => symptom.symptom === name).map(symptom => symptom.role))].sort();
}
