import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { sameDevice } from './devices.ts';
import { certainlyAfter } from './order.ts';
import { isOpen, nameOf, settle } from './verdict.ts';

const name = 'recovered';

/** Down more often than this is a bad link, however short each time. */
const maxFlaps = 2;

/**
 * A link that was down for moments and came back is context: transports repeat what they sent for longer than that.
 * Rules call what shows the return `<something>-recovered`.
 */
export const recovered: Pass = {
  name,
  run(symptoms, context) {
    const returns = Map.groupBy(
      symptoms.filter(symptom => isReturn(symptom) && isOpen(symptom)),
      symptom => JSON.stringify([symptom.node, symptom.category]),
    );
    if (returns.size === 0) return symptoms;
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.strength !== 'S3' || symptom.count > maxFlaps) return symptom;
      const back = returns
        .get(JSON.stringify([symptom.node, symptom.category]))
        ?.find(candidate => isBackSoon(symptom, candidate, context.settings.flapMs));
      return back === undefined
        ? symptom
        : settle(symptom, 'context', name, `over at once: ${nameOf(back)}`, back.id);
    });
  },
};

const isReturn = (symptom: Symptom): boolean => symptom.node !== null && symptom.symptom.endsWith('-recovered');

/** What carries no time is back in the order of its stream: nobody can tell then that the link was missed. */
function isBackSoon(symptom: Symptom, back: Symptom, withinMs: number): boolean {
  if (sameDevice(symptom.device, back.device) === 'no') return false;
  if (!certainlyAfter(back.last, symptom.last)) return false;
  if (symptom.last.nanos === null && back.last.nanos === null) return true;
  const dated = symptom.last.nanos !== null && back.last.nanos !== null;
  return dated && !certainlyAfter(back.last, symptom.last, withinMs);
}
