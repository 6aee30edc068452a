import type { Outcome } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Target } from '../../core/target.ts';
import type { Change, Verdict, VerdictChange } from '../../core/verdict-change.ts';
import { nameOf } from '../../engine/explain/verdict.ts';
import { guards } from './counterfactual.ts';

/** Work that may go into changes: symptoms reasoned over, all tries together. */
const usualBudget = 60_000;
const mostTries = 64;

/**
 * The changes, of those worth a try, under which the answer would have been another: the least that takes away each
 * target; each guard that spared or excused somebody; each further symptom that blames, or explains one that does. How
 * many are tried follows from the symptoms alone, so that the same evidence gives the same list.
 */
export function verdictChanges(
  symptoms: readonly Symptom[],
  outcome: Outcome,
  outcomeWith: (change: Change) => Outcome,
  budget = usualBudget,
): readonly VerdictChange[] {
  const actual = textOf(verdictOf(outcome));
  let left = Math.min(mostTries, Math.floor(budget / Math.max(1, symptoms.length)));
  const tried = ({ change, said }: Candidate): readonly VerdictChange[] => {
    if (left <= 0) return [];
    left -= 1;
    const verdict = verdictOf(outcomeWith(change));
    return textOf(verdict) === actual ? [] : [{ change, said, verdict }];
  };
  const blaming = symptoms.filter(isBlaming);
  return [
    ...outcome.findings.flatMap(({ target }) => leastOf(waysAgainst(target, symptoms), tried)),
    ...guardsThatDecided(blaming).flatMap(tried),
    ...furtherSymptoms(symptoms, blaming).map(alone).flatMap(tried),
  ];
}

export function verdictOf({ findings, problem }: Outcome): Verdict {
  return { targets: findings.map(({ target }) => target), problem: problem?.type ?? null };
}

interface Candidate {
  readonly change: Change;
  readonly said: string;
}

const isBlaming = ({ blames, status, strength }: Symptom): boolean =>
  blames !== 'nobody' && status === 'stable' && strength <= 'S4';

const alone = (symptom: Symptom): Candidate => ({
  change: { kind: 'symptoms', ids: [symptom.id] },
  said: `without ${nameOf(symptom)}`,
});

/** What works of the first group in which something does. */
function leastOf(
  groups: readonly (readonly Candidate[])[],
  tried: (candidate: Candidate) => readonly VerdictChange[],
): readonly VerdictChange[] {
  for (const group of groups) {
    const found = group.flatMap(tried);
    if (found.length > 0) return found;
  }
  return [];
}

/** Ways to take a target away, from small to large: one symptom that accuses it, all that do, all that ever could. */
function waysAgainst(target: Target, symptoms: readonly Symptom[]): readonly (readonly Candidate[])[] {
  // What several nodes share is a cause of the job that blames nodes.
  const isOf = ({ node }: Symptom): boolean => target.type !== 'Node' || node === target.node;
  const whom = target.type === 'Node' ? target.node : 'the job';
  const initiating = symptoms.filter(symptom => symptom.role === 'initiating' && isOf(symptom));
  const able = symptoms.filter(
    symptom => isOf(symptom) && (isBlaming(symptom) || symptom.role === 'initiating'),
  );
  const together = (group: readonly Symptom[], which: string): readonly Candidate[] => {
    if (group.length < 2) return [];
    const ids = group.map(({ id }) => id);
    return [{ change: { kind: 'symptoms', ids }, said: `without all ${ids.length} symptoms that ${which}` }];
  };
  return [
    initiating.map(alone),
    together(initiating, `accuse ${whom}`),
    together(able, `speak against ${whom}`),
  ];
}

function guardsThatDecided(blaming: readonly Symptom[]): readonly Candidate[] {
  const deciding = new Set(blaming.map(({ reason }) => reason?.pass));
  return Object.entries(guards)
    .filter(([name]) => deciding.has(name))
    .map(([name, words]) => ({ change: { kind: 'guard', name }, said: `were it not that ${words}` }));
}

/** Those that blame and were spared or explained, and what explained them. */
function furtherSymptoms(symptoms: readonly Symptom[], blaming: readonly Symptom[]): readonly Symptom[] {
  const causes = new Set(blaming.map(({ reason }) => reason?.cause));
  const own = new Set(blaming);
  return [
    ...blaming.filter(({ role }) => role !== 'initiating'),
    ...symptoms.filter(symptom => causes.has(symptom.id) && !own.has(symptom)),
  ];
}

function textOf({ targets, problem }: Verdict): string {
  return JSON.stringify([targets, problem]);
}
