import type { Symptom } from '../../core/symptom.ts';
import { earliest, latest } from '../../core/time.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { settle } from './verdict.ts';

const name = 'outside-window';

/**
 * Sources may hand over more than was asked for; a fault outside the windows says nothing about this failure. States
 * that last stay, and so do health checks, which speak after the fact.
 */
export const outsideWindow: Pass = {
  name,
  run(symptoms, context) {
    if (context.windows.length === 0) return symptoms;
    return symptoms.map(symptom =>
      isUndecided(symptom) && !symptom.lasts ? judge(symptom, context) : symptom,
    );
  },
};

function judge(symptom: Symptom, context: ReasoningContext): Symptom {
  const from = wallInstant(earliest(context.windows.map(window => window.from)));
  if (certainlyAfter(from, symptom.last)) {
    return settle(symptom, 'context', name, 'seen before the time looked at, and not since');
  }
  const all = context.epilogWindow === null ? context.windows : [...context.windows, context.epilogWindow];
  const to = wallInstant(latest(all.map(window => window.to)));
  if (symptom.origin !== 'health' && certainlyAfter(symptom.first, to)) {
    return settle(symptom, 'context', name, 'seen after the time looked at');
  }
  return withoutWhatPreceded(symptom, from);
}
