import type { Symptom } from '../../core/symptom.ts';
import { formatNanos, millisecond } from '../../core/time.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { cleanUpOf } from './clean-up.ts';
import { lookBack, stuckCollective } from './collective-start.ts';
import { certainlyAfter, skewMs } from './order.ts';
import { isStrong, settle } from './verdict.ts';

const name = 'stuck-collective';

/**
 * A collective that timed out got stuck long before: the cause lies around that moment. What was over long before it
 * stopped no rank, and a node whose own log shows its first sign long after it may only be suffering. Schedulers and
 * health checks notice late, so that their word is not measured by it; and what only hardware shows is measured as
 * clocks differ.
 */
export const stuckCollectivePass: Pass = {
  name,
  run(symptoms, context) {
    const stuck = stuckCollective(symptoms);
    if (stuck?.start.nanos == null) return symptoms;
    const { start, shownBy } = stuck;
    const since = formatNanos(stuck.start.nanos);
    const cleanUp = cleanUpOf(symptoms);
    const graceMs = context.settings.stuckGraceMs;
    const apart = (symptom: Symptom, when: string): Symptom =>
      settle(symptom, 'unknown', name, `${when} a collective got stuck at ${since}`, shownBy.id);
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || !isTimely(symptom)) return symptom;
      if (certainlyAfter(start, symptom.last, longBeforeMs)) {
        return apart(symptom, 'was over long before');
      }
      const withinMs = symptom.strength === 'S1' ? Math.max(graceMs, skewMs) : graceMs;
      if (!certainlyAfter(cleanUp.corrected(symptom, symptom.first), start, withinMs)) return symptom;
      return apart(symptom, 'began long after');
    });
  },
};

/** The ranks still met in collectives so long after a fault: it stopped none of them, whatever clocks differ. */
const longBeforeMs = skewMs + Number(lookBack / millisecond);

/** Signs of hardware that appear when it breaks, as opposed to reports about it. */
function isTimely(symptom: Symptom): boolean {
  if (symptom.lasts || symptom.blames !== 'node' || !isStrong(symptom)) return false;
  return symptom.origin === 'kernel' || symptom.origin === 'exporter' || symptom.origin === 'job';
}
