import type { Pass } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { settle } from './verdict.ts';

const name = 'before-job';

/** What happened before the job began is context, never its cause, unless it is a state that lasts. */
export const beforeJob: Pass = {
  name,
  run(symptoms, context) {
    if (context.jobStart === null) return symptoms;
    const start = wallInstant(context.jobStart);
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.lasts) return symptom;
      if (certainlyAfter(start, symptom.last)) {
        return settle(symptom, 'context', name, 'seen before the job began, and not since');
      }
      return withoutWhatPreceded(symptom, start);
    });
  },
};
