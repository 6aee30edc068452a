import type { Observation, Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { numberIn } from '../explain/placements.ts';
import { settle } from '../explain/verdict.ts';
import { readNodeLocal } from '../node-coverage.ts';
import { isNodeProof } from './hardware.ts';
import { accusing, changed, type JobCause, type Step } from './judgement.ts';

const name = 'collectives';

/**
 * What collective time-outs alone can tell, and never of a node: ranks that ran different operations under one number
 * are out of step by their program; ranks that are all stuck at one number, while nodes were looked at and showed
 * nothing strong, were stuck together.
 */
export const collectives: Step = {
  name,
  run(judgement, context) {
    if (judgement.job !== null || accusing(judgement.symptoms).length > 0) return judgement;
    if (judgement.symptoms.some(symptom => isNodeProof(symptom) && symptom.role !== 'context'))
      return judgement;
    const stuck = stuckRanks(judgement.symptoms);
    const job = outOfStep(stuck) ?? stuckTogether(stuck, judgement.symptoms, context);
    if (job === null) return judgement;
    const blame = (symptom: Symptom): Symptom => settle(symptom, 'initiating', name, job.said ?? '');
    return { symptoms: changed(judgement.symptoms, job.symptoms, blame), job };
  },
};

/** One rank at one number of one group. */
interface StuckRank {
  readonly rank: number;
  readonly group: string | null;
  readonly sequence: string;
  readonly operation: string | null;
  readonly elements: string | null;
  readonly symptom: Symptom;
}

function stuckRanks(symptoms: readonly Symptom[]): readonly StuckRank[] {
  return symptoms
    .filter(symptom => symptom.category === 'collective_timeout')
    .filter(symptom => symptom.role !== 'context' && symptom.role !== 'teardown')
    .flatMap(symptom => symptom.observations.flatMap(observation => stuckRank(symptom, observation)));
}

function stuckRank(symptom: Symptom, { rank, captures }: Observation): readonly StuckRank[] {
  const speaker = rank ?? numberIn(captures['rank']) ?? symptom.rank;
  const sequence = captures['sequence'];
  if (speaker === null || sequence === undefined) return [];
  const group = captures['group'] ?? null;
  const operation = captures['operation'] ?? null;
  return [{ rank: speaker, group, sequence, operation, elements: captures['elements'] ?? null, symptom }];
}

const byNumber = (stuck: readonly StuckRank[]): readonly (readonly StuckRank[])[] => [
  ...Map.groupBy(stuck, ({ group, sequence }) => JSON.stringify([group, sequence])).values(),
];

/** Numbers of different groups are unrelated, so that a line which names no group proves nothing here. */
function outOfStep(stuck: readonly StuckRank[]): JobCause | null {
  for (const ranks of byNumber(stuck.filter(({ group }) => group !== null))) {
    const operations = new Set(ranks.map(({ operation }) => operation ?? ''));
    const reduces = ranks.filter(({ operation }) => operation?.toUpperCase() === 'ALLREDUCE');
    const sizes = new Set(reduces.map(({ elements }) => elements ?? ''));
    if ((operations.size > 1 && !operations.has('')) || (sizes.size > 1 && !sizes.has(''))) {
      const said = `ranks ran different operations as number ${ranks[0]?.sequence} of one group`;
      return { category: 'application_error', symptoms: symptomsOf(ranks), said };
    }
  }
  return null;
}

function stuckTogether(
  stuck: readonly StuckRank[],
  symptoms: readonly Symptom[],
  context: ReasoningContext,
): JobCause | null {
  const size = worldSize(symptoms, context);
  if (size === null || !readNodeLocal(context.coverage)) return null;
  for (const ranks of byNumber(stuck)) {
    if (new Set(ranks.map(({ rank }) => rank)).size < size) continue;
    const said = `all ${size} ranks are stuck at number ${ranks[0]?.sequence}, and no node shows a cause`;
    return { category: 'collective_timeout', symptoms: symptomsOf(ranks), said };
  }
  return null;
}

/** How many ranks the job has, as the request or the job's own lines say. */
function worldSize(symptoms: readonly Symptom[], context: ReasoningContext): number | null {
  const asked = new Set(context.request.scope.ranks).size;
  if (asked > 0) return asked;
  const sizes = symptoms
    .flatMap(symptom => symptom.observations)
    .map(observation => numberIn(observation.captures['world_size']))
    .filter(size => size !== null);
  return sizes.length === 0 ? null : sizes.reduce((a, b) => Math.max(a, b));
}

const symptomsOf = (ranks: readonly StuckRank[]): readonly Symptom[] => [
  ...new Set(ranks.map(({ symptom }) => symptom)),
];
