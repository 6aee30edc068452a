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
 * many are tried follows from the symptoms alone, so that the same evidence gives the same list; null
 * where the work allowed (in symptoms, all tries together) is less than one try takes.
 */
export function verdictChanges(
  symptoms: readonly Symptom[],
  outcome: Outcome,
  outcomeWith: (change: Change) => Outcome,
  budget = usualBudget,
): readonly VerdictChange[] | null {
  const actual = textOf(verdictOf(outcome));
  let left = Math.min(mostTries, Math.floor(budget / Math.max(1, symptoms.length)));
  if (left === 0) return null;
  const tried: Try = ({ change, said }) => {
    if (left <= 0) return [];
    left -= 1;
    const verdict = verdictOf(outcomeWith(change));
    return textOf(verdict) === actual ? [] : [{ change, said, verdict }];
  };
  const blaming = symptoms.filter(isBlaming);
  return [
    ...outcome.findings.flatMap(({ target }) => leastOf(waysAgainst(target, symptoms), tried)),
    ...guardChanges(blaming, outcome, tried),
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

/** What a candidate leads to, as one entry; none where the answer stays, or where no work is left to spend. */
type Try = (candidate: Candidate) => readonly VerdictChange[];

const isBlaming = ({ blames, status, strength }: Symptom): boolean =>
  blames !== 'nobody' && status === 'stable' && strength <= 'S4';

const alone = (symptom: Symptom): Candidate => ({
  change: { kind: 'symptoms', ids: [symptom.id] },
  said: `without ${nameOf(symptom)}${partOf(symptom)}`,
});

/** Which of several alike on one node: its device, else its rank. */
function partOf({ node, device, rank }: Symptom): string {
  const name = device?.pci ?? device?.uuid ?? device?.name;
  if (name != null) return ` (${name})`;
  if (device?.index != null) return ` (GPU ${device.index})`;
  return rank === null || node === null ? '' : ` (rank ${rank})`;
}

/** What works of the first group in which something does. */
function leastOf(groups: readonly (readonly Candidate[])[], tried: Try): readonly VerdictChange[] {
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

/** Each guard that decided alone; where nobody is named for several reasons, the fewest that keep it so together. */
function guardChanges(
  blaming: readonly Symptom[],
  { findings }: Outcome,
  tried: Try,
): readonly VerdictChange[] {
  const deciding = new Set(blaming.map(({ reason }) => reason?.pass));
  const names = Object.keys(guards);
  const alone = names.filter(name => deciding.has(name)).flatMap(name => tried(withoutGuards([name])));
  const spared = findings.length === 0 && blaming.length > 0;
  return alone.length > 0 || !spared ? alone : fewestGuards(names, tried);
}

/** Of guards that change the answer together, those without which it would not have changed. */
function fewestGuards(names: readonly string[], tried: Try): readonly VerdictChange[] {
  let needed = names;
  let changes = tried(withoutGuards(names));
  if (changes.length === 0) return [];
  for (const name of names) {
    const fewer = needed.filter(each => each !== name);
    const found = tried(withoutGuards(fewer));
    if (found.length === 0) continue;
    needed = fewer;
    changes = found;
  }
  return changes;
}

function withoutGuards(names: readonly string[]): Candidate {
  const words = names.map(name => guards[name] ?? name);
  return { change: { kind: 'guards', names }, said: `were it not that ${words.join(', and that ')}` };
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
