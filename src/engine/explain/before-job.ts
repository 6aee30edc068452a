import type { Symptom } from '../../core/symptom.ts';
import { type Instant, minute } from '../../core/time.ts';
import type { Pass } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { whenGivenNodes } from './job-given-nodes.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { settle } from './verdict.ts';

const name = 'before-job';

/** A prolog may examine a node so long before a job begins. */
const prologTime = 15n * minute;

/**
 * What happened before the job began is context, never its cause, unless it is a state that lasts. What a health check
 * found lasts no longer than until the next job was let onto the node: logs of checks hold those of earlier jobs, too.
 */
export const beforeJob: Pass = {
  name,
  run(symptoms, context) {
    const given = whenGivenNodes(symptoms, context);
    const told = given === null ? symptoms : symptoms.map(symptom => beforeGiven(symptom, given));
    if (context.jobStart === null) return told;
    const start = wallInstant(context.jobStart);
    const prolog = wallInstant(context.jobStart - prologTime);
    return told.map(symptom => {
      if (!isUndecided(symptom)) return symptom;
      if (symptom.lasts) {
        if (symptom.origin !== 'health' || !certainlyAfter(prolog, symptom.last)) return symptom;
        return settle(symptom, 'context', name, 'a health check before the job began, and none since');
      }
      if (certainlyAfter(start, symptom.last)) {
        return settle(symptom, 'context', name, 'seen before the job began, and not since');
      }
      return withoutWhatPreceded(symptom, start);
    });
  },
};

/** By the clock of the scheduler's own log, which tells of nodes before it gives them to the job. */
function beforeGiven(symptom: Symptom, given: Instant): Symptom {
  if (symptom.origin !== 'scheduler' || symptom.lasts || !isUndecided(symptom)) return symptom;
  if (symptom.node === null || !certainlyAfter(given, symptom.last)) return symptom;
  return settle(symptom, 'context', name, 'said of the node before the job was given it');
}
