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
 * The changes, of those worth a try, under which the answer would have been another: each symptom that blames somebody or
 * explains one that does, all that accuse one target together, each guard that spared or excused such a one. How many are
 * tried follows from the number of symptoms alone, so that the same evidence gives the same list.
 */
export function verdictChanges(
  symptoms: readonly Symptom[],
  outcome: Outcome,
  outcomeWith: (change: Change) => Outcome,
  budget = usualBudget,
): readonly VerdictChange[] {
  const actual = textOf(verdictOf(outcome));
  const most = Math.min(mostTries, Math.floor(budget / Math.max(1, symptoms.length)));
  return candidates(symptoms, outcome)
    .slice(0, most)
    .flatMap(({ change, said }) => {
      const verdict = verdictOf(outcomeWith(change));
      return textOf(verdict) === actual ? [] : [{ change, said, verdict }];
    });
}

export function verdictOf({ findings, problem }: Outcome): Verdict {
  return { targets: findings.map(({ target }) => target), problem: problem?.type ?? null };
}

interface Candidate {
  readonly change: Change;
  readonly said: string;
}

function candidates(symptoms: readonly Symptom[], outcome: Outcome): readonly Candidate[] {
  const blaming = symptoms.filter(isBlaming);
  const initiating = blaming.filter(({ role }) => role === 'initiating');
  const together = outcome.findings.flatMap(({ target }) => groupOf(target, initiating));
  const causes = new Set(blaming.map(({ reason }) => reason?.cause));
  const explaining = symptoms.filter(symptom => causes.has(symptom.id) && !blaming.includes(symptom));
  const rest = [...blaming.filter(({ role }) => role !== 'initiating'), ...explaining];
  const deciding = new Set(blaming.map(({ reason }) => reason?.pass));
  const guarding = Object.entries(guards).filter(([name]) => deciding.has(name));
  return [
    ...initiating.map(alone),
    ...together,
    ...guarding.map(
      ([name, words]): Candidate => ({ change: { kind: 'guard', name }, said: `were it not that ${words}` }),
    ),
    ...rest.map(alone),
  ];
}

const isBlaming = ({ blames, status, strength }: Symptom): boolean =>
  blames !== 'nobody' && status === 'stable' && strength <= 'S4';

const alone = (symptom: Symptom): Candidate => ({
  change: { kind: 'symptoms', ids: [symptom.id] },
  said: `without ${nameOf(symptom)}`,
});

/** All that accuse one target, where that is more than one. */
function groupOf(target: Target, initiating: readonly Symptom[]): readonly Candidate[] {
  const accusing = initiating.filter(({ blames, node }) =>
    target.type === 'Node' ? blames === 'node' && node === target.node : blames === 'job',
  );
  if (accusing.length < 2) return [];
  const whom = target.type === 'Node' ? target.node : 'the job';
  const ids = accusing.map(({ id }) => id);
  return [
    { change: { kind: 'symptoms', ids }, said: `without all ${ids.length} symptoms that accuse ${whom}` },
  ];
}

function textOf({ targets, problem }: Verdict): string {
  return JSON.stringify([targets, problem]);
}
