import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { sameDevice } from './devices.ts';
import { byTime } from './order.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'caused-by';

/**
 * Follows lines that say themselves which error caused them. Such a line convicts nobody, whether or not the error it
 * points to was read.
 */
export const causedBy: Pass = {
  name,
  run(symptoms) {
    const pointing = symptoms.some(symptom => pointerOf(symptom) !== null);
    if (!pointing) return symptoms;
    const byCode = Map.groupBy(symptoms, symptom => JSON.stringify([symptom.node, symptom.code]));
    return symptoms.map(symptom => {
      const code = isUndecided(symptom) ? pointerOf(symptom) : null;
      if (code === null || code === symptom.code) return symptom;
      const cause = nearest(symptom, byCode.get(JSON.stringify([symptom.node, code])) ?? []);
      if (cause !== undefined) {
        return settle(symptom, 'cascade', name, `says it was caused by ${nameOf(cause)}`, cause.id);
      }
      return settle(symptom, 'cascade', name, `says it was caused by ${code}, which was not read`);
    });
  },
};

/** The code a symptom's first line points to, with its catalogue: a bare number is one of the same catalogue. */
function pointerOf(symptom: Symptom): string | null {
  const pointer = symptom.observations[0]?.captures['caused_by'];
  if (pointer === undefined) return null;
  return /^\d+$/.test(pointer) ? `xid-${pointer}` : pointer.toLowerCase();
}

function nearest(symptom: Symptom, causes: readonly Symptom[]): Symptom | undefined {
  const sorted = causes.toSorted(byTime);
  return sorted.find(cause => sameDevice(cause.device, symptom.device) === 'yes') ?? sorted[0];
}
