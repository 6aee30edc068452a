import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { certainlyAfter } from './order.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'maintenance';

/**
 * A reboot or maintenance that somebody planned excuses its node: the loss of the node unless that certainly came
 * first, and whatever else the node shows once the maintenance has certainly begun.
 */
export const maintenance: Pass = {
  name,
  run(symptoms, context) {
    const planned = byNode(symptoms.filter(symptom => symptom.ruleRole === 'maintenance'));
    if (planned.size === 0) return symptoms;
    const reachMs = context.settings.maintenanceReachMs;
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.node === null) return symptom;
      const excuse = planned.get(symptom.node)?.find(plan => excuses(plan, symptom, reachMs));
      if (excuse === undefined) return symptom;
      return settle(symptom, 'context', name, `planned: ${nameOf(excuse)}`, excuse.id);
    });
  },
};

function excuses(plan: Symptom, symptom: Symptom, reachMs: number): boolean {
  if (!plan.lasts && certainlyAfter(symptom.first, plan.last, reachMs)) return false;
  if (symptom.category === 'node_lost') return !certainlyAfter(plan.first, symptom.first);
  return certainlyAfter(symptom.first, plan.first);
}

function byNode(symptoms: readonly Symptom[]): ReadonlyMap<string, readonly Symptom[]> {
  const located = symptoms.filter(symptom => symptom.node !== null && symptom.reason === null);
  return Map.groupBy(located, symptom => symptom.node ?? '');
}
