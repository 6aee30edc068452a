import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { certainlyAfter, earliestOf } from '../explain/order.ts';
import { nameOf, settle, strengthRank } from '../explain/verdict.ts';
import { accusing, changed, type Step } from './judgement.ts';

const name = 'first-fault';

/**
 * The failure began with the earliest S1 or S2 symptom, or the earliest S3 where there is none. Nodes with an S1 of
 * about that moment may each be named; a weaker symptom elsewhere follows from it, and a strong one that began much
 * later or earlier is told but not named.
 */
export const firstFault: Step = {
  name,
  run(judgement, context) {
    const accused = accusing(judgement.symptoms);
    const leader = leaderOf(accused);
    if (leader === undefined || judgement.job !== null) return judgement;
    const named = new Set(namedWith(leader, accused, context).map(symptom => symptom.node));
    const spared = accused.filter(symptom => !named.has(symptom.node));
    const spare = (symptom: Symptom): Symptom => judgeSpared(symptom, leader, context);
    return { ...judgement, symptoms: changed(judgement.symptoms, spared, spare) };
  },
};

/** The symptom the failure began with. */
export function leaderOf(accused: readonly Symptom[]): Symptom | undefined {
  const timing = accused.filter(symptom => strengthRank(symptom) <= 2);
  return earliestOf(timing.length > 0 ? timing : accused);
}

function namedWith(
  leader: Symptom,
  accused: readonly Symptom[],
  context: ReasoningContext,
): readonly Symptom[] {
  const moment = accused.filter(
    symptom => !certainlyAfter(symptom.first, leader.first, context.settings.sameMomentMs),
  );
  const strongest = moment.filter(symptom => symptom.strength === 'S1');
  if (strongest.length > 0) return [leader, ...strongest];
  // Weaker symptoms are more often consequences: only those that may have come first as well are named with it.
  const rank = strengthRank(leader);
  return moment.filter(
    symptom => strengthRank(symptom) === rank && !certainlyAfter(symptom.first, leader.first),
  );
}

function judgeSpared(symptom: Symptom, leader: Symptom, context: ReasoningContext): Symptom {
  if (certainlyAfter(leader.first, symptom.first)) {
    return settle(symptom, 'unknown', name, `came before ${nameOf(leader)}, and is weaker`);
  }
  const late = certainlyAfter(symptom.first, leader.first, context.settings.sameMomentMs);
  if (symptom.strength === 'S1' && late) {
    return settle(symptom, 'unknown', name, `began long after ${nameOf(leader)}, with which the failure began`);
  }
  return settle(
    symptom,
    'cascade',
    name,
    `not before ${nameOf(leader)}, with which the failure began`,
    leader.id,
  );
}
