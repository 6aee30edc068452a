import type { Symptom } from '../../core/symptom.ts';
import type { ErrorCategory } from '../../core/target.ts';
import { byWeight } from '../explain/order.ts';
import { settle } from '../explain/verdict.ts';
import { readNodeLocal } from '../node-coverage.ts';
import { isNodeProof } from './hardware.ts';
import { accusing, changed, type Step } from './judgement.ts';

const name = 'ambiguous-devices';

/** Fabrics show one fault on many devices; there the program is not the likelier cause. */
const fabrics: ReadonlySet<ErrorCategory> = new Set(['accelerator_fabric', 'network_fabric']);

/**
 * An error that a program or a device can make, on several devices of one job, was made by the program: devices do
 * not break together. On one device alone it stays unknown.
 */
export const ambiguousDevices: Step = {
  name,
  run(judgement, context) {
    if (judgement.job !== null || accusing(judgement.symptoms).length > 0) return judgement;
    if (!readNodeLocal(context.coverage)) return judgement;
    if (judgement.symptoms.some(symptom => isNodeProof(symptom) && symptom.role === 'unknown'))
      return judgement;
    const ambiguous = judgement.symptoms.filter(isAmbiguous).toSorted(byWeight);
    const groups = [...Map.groupBy(ambiguous, symptom => symptom.symptom).values()];
    const group = groups.find(candidates => devicesOf(candidates) > 1);
    if (group === undefined) return judgement;
    const said = `the same on ${devicesOf(group)} devices: the program, not the devices`;
    const blame = (symptom: Symptom): Symptom => settle(symptom, 'initiating', name, said);
    return {
      symptoms: changed(judgement.symptoms, group, blame),
      job: { category: 'application_error', symptoms: group, said },
    };
  },
};

function isAmbiguous(symptom: Symptom): boolean {
  return (
    symptom.role === 'unknown' &&
    symptom.strength === 'S4' &&
    symptom.ruleRole === 'root' &&
    symptom.status === 'stable' &&
    symptom.node !== null &&
    !fabrics.has(symptom.category)
  );
}

function devicesOf(symptoms: readonly Symptom[]): number {
  return new Set(symptoms.map(({ node, device }) => JSON.stringify([node, device]))).size;
}
