import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { isStrong, settle } from '../explain/verdict.ts';
import { nodeStatuses } from '../node-coverage.ts';
import { isHardware, isSetUp } from './hardware.ts';
import { accusing, type Step } from './judgement.ts';

const name = 'job-text';

/**
 * Takes back accusations that the job's own text cannot carry, since whoever runs a job can print anything. It names a
 * node only for an error of the node's own device or set-up, on a node that is proven, that no other node shows, and
 * that the node's own kernel log, read to the end, does not contradict by its silence.
 */
export const jobText: Step = {
  name,
  run(judgement, context) {
    const accused = accusing(judgement.symptoms).filter(symptom => symptom.origin === 'job');
    if (accused.length === 0) return judgement;
    const ids = new Set(accused.map(symptom => symptom.id));
    for (const symptom of judgement.job?.symptoms ?? []) ids.delete(symptom.id);
    const objection = objections(judgement.symptoms, context);
    const symptoms = judgement.symptoms.map(symptom => {
      const text = ids.has(symptom.id) ? objection(symptom) : null;
      return text === null ? symptom : settle(symptom, 'unknown', name, text);
    });
    return { ...judgement, symptoms };
  },
};

function objections(
  symptoms: readonly Symptom[],
  context: ReasoningContext,
): (symptom: Symptom) => string | null {
  const kernel = nodeStatuses(context.coverage, 'kernel');
  const broken = nodesKnownBroken(symptoms);
  const seenOn = placesByName(symptoms);
  return symptom => {
    const node = symptom.node ?? '';
    if (symptom.strength === 'S1' || !(isHardware(symptom) || isSetUp(symptom))) {
      return "the job's own text cannot prove this: whoever runs the job can print anything";
    }
    if ((seenOn.get(symptom.symptom)?.size ?? 0) > 1) return "the job's own text shows the same elsewhere";
    if (isSetUp(symptom)) {
      return context.jobNodes.length < 2 ? 'there is no other node to compare with' : null;
    }
    if (kernel.of(node).has('complete') && !broken.has(node)) {
      return "the node's kernel log was read to the end and shows no hardware symptom";
    }
    return null;
  };
}

/** Nodes whose kernel log shows a strong hardware symptom of this failure. */
function nodesKnownBroken(symptoms: readonly Symptom[]): ReadonlySet<string> {
  const broken = symptoms.filter(
    symptom =>
      symptom.origin === 'kernel' && symptom.role !== 'context' && isStrong(symptom) && isHardware(symptom),
  );
  return new Set(broken.flatMap(symptom => (symptom.node === null ? [] : [symptom.node])));
}

/** Where each symptom was seen: nodes, and ranks of which the node is unknown. */
function placesByName(symptoms: readonly Symptom[]): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const { role, symptom, node, rank } of symptoms) {
    const place = node ?? (rank === null ? null : `rank ${rank}`);
    if (place === null || role === 'context') continue;
    places.set(symptom, (places.get(symptom) ?? new Set()).add(place));
  }
  return places;
}
