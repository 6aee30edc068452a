import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { settle } from '../explain/verdict.ts';
import { nodeStatuses } from '../node-coverage.ts';
import { isTrusted } from './hardware.ts';
import { accusing, changed, type Judgement, jobRoots, type Step } from './judgement.ts';

const name = 'lone-client';

/**
 * A node that a shared storage turned away is at fault only where the others were served: where more of them were not
 * read than are known to have been well, the storage may have turned away those too. What one node of many suffers of
 * a storage that all share may be its own network as well, and blames nobody.
 */
export const loneClient: Step = {
  name,
  run(judgement, context) {
    return spareLoneStorage(spareTurnedAway(judgement, context), context);
  },
};

function spareTurnedAway(judgement: Judgement, context: ReasoningContext): Judgement {
  // What already speaks of the job blames no single node.
  const ofJob = new Set(judgement.job?.symptoms.map(({ id }) => id));
  const accused = accusing(judgement.symptoms).filter(
    ({ category, id }) => category === 'storage_shared' && !ofJob.has(id),
  );
  if (accused.length === 0) return judgement;
  const doubted = accused.filter(symptom => !areOthersWell(symptom, judgement.symptoms, context));
  const symptoms = changed(judgement.symptoms, doubted, symptom =>
    settle(
      symptom,
      'unknown',
      name,
      'too few other nodes were read to tell that only this one was turned away',
    ),
  );
  return { ...judgement, symptoms };
}

function areOthersWell(symptom: Symptom, symptoms: readonly Symptom[], context: ReasoningContext): boolean {
  const showing = new Set(symptoms.filter(other => other.symptom === symptom.symptom).map(({ node }) => node));
  const others = context.jobNodes.filter(node => node !== symptom.node && !showing.has(node));
  const read = nodeStatuses(context.coverage, symptom.origin);
  const well = others.filter(node => read.of(node).has('complete')).length;
  return well > 0 && well >= others.length - well;
}

function spareLoneStorage(judgement: Judgement, context: ReasoningContext): Judgement {
  const storage = jobRoots(judgement.symptoms).filter(
    symptom => symptom.category === 'storage_shared' && isTrusted(symptom),
  );
  const nodes = new Set(storage.map(symptom => symptom.node));
  if (nodes.size !== 1 || context.jobNodes.length < 3) return judgement;
  const spare = (symptom: Symptom): Symptom =>
    settle(symptom, 'unknown', name, 'one node alone complains of storage that all share');
  return { ...judgement, symptoms: changed(judgement.symptoms, storage, spare) };
}
