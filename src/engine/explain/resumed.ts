import type { Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { whenGivenNodes } from './job-given-nodes.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'resumed';

/**
 * A state that the scheduler found is over once somebody gave the node back: it is context where that was before the
 * job began, or where nobody knows when it began, before it failed. So is the loss of a node that answered again long
 * before: one that comes back soon may still have ended the job.
 */
export const resumed: Pass = {
  name,
  run(symptoms, context) {
    const returns = symptoms.filter(({ symptom, node }) => endings.has(symptom) && node !== null);
    if (returns.length === 0) return symptoms;
    const until = whenGivenNodes(symptoms, context) ?? wallInstant(context.jobStart ?? context.moment);
    return symptoms.map(symptom => {
      if (symptom.origin !== 'scheduler' || !isUndecided(symptom)) return symptom;
      const back = returns.find(end => ends(end, symptom) && isInTime(end, until, context));
      return back === undefined
        ? symptom
        : settle(symptom, 'context', name, `over since: ${nameOf(back)}`, back.id);
    });
  },
};

const endings: ReadonlySet<string> = new Set(['node-resumed', 'node-returned']);

function ends(end: Symptom, symptom: Symptom): boolean {
  const isOfKind = end.symptom === 'node-resumed' ? symptom.lasts : symptom.category === 'node_lost';
  return isOfKind && end.node === symptom.node && certainlyAfter(end.last, symptom.last);
}

function isInTime({ symptom, last }: Symptom, until: Instant, { settings }: ReasoningContext): boolean {
  return certainlyAfter(until, last, symptom === 'node-resumed' ? 0 : settings.maintenanceReachMs);
}
