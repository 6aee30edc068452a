import type { Symptom } from '../../core/symptom.ts';
import { gap, millisecond } from '../../core/time.ts';
import type { Pass } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { cleanUpOf } from './clean-up.ts';
import { detectionFamily } from './detection-family.ts';
import { latestProgress } from './latest-progress.ts';
import { consequencesOn } from './one-fault.ts';
import { certainlyAfter, shifted, skewMs } from './order.ts';
import { numberIn } from './placements.ts';
import { stopsNode } from './stops-node.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'survived';

/**
 * A fault followed by training progress did not kill the run: every iteration needs every rank. A state that lasts
 * may still strike later, so it is never excused, and slow progress excuses no straggler. Neither does progress excuse
 * what by another clock went on: a fault whose own consequences on its node came after the last progress.
 */
export const survived: Pass = {
  name,
  run(symptoms, context) {
    if (detectionFamily(context.request.failureContext.detectionSignal) === 'straggler') return symptoms;
    const progress = latestProgress(symptoms);
    if (progress === undefined) return symptoms;
    const marginMs = Math.max(context.settings.survivedMs, 2 * iterationMs(progress));
    const survivedUntil = shifted(progress.last, -marginMs);
    const consequenceOf = consequencesOn(
      symptoms,
      symptom => !certainlyAfter(progress.last, symptom.first, marginMs),
    );
    const cleanUp = cleanUpOf(symptoms);
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.lasts) return symptom;
      const last = cleanUp.corrected(symptom, symptom.last);
      if (stopsNode(symptom) && !certainlyAfter(progress.last, last, skewMs)) return symptom;
      if (certainlyAfter(progress.last, last, marginMs)) {
        if (consequenceOf(symptom) !== undefined) return symptom;
        return settle(symptom, 'context', name, `training went on after it: ${nameOf(progress)}`, progress.id);
      }
      return last === symptom.last ? withoutWhatPreceded(symptom, survivedUntil) : symptom;
    });
  },
};

/** Mean time of an iteration, from the iteration numbers where both ends carry one; 0 where unknown. */
function iterationMs(progress: Symptom): number {
  const numbers = progress.observations
    .map(observation => ({
      at: observation.instant,
      iteration: numberIn(observation.captures['iteration']),
    }))
    .filter(entry => entry.iteration !== null);
  const from = numbers[0];
  const to = numbers.at(-1);
  if (from?.iteration == null || to?.iteration == null || to.iteration <= from.iteration) return 0;
  const apart = gap(from.at, to.at);
  return apart === null ? 0 : Number(apart / millisecond) / (to.iteration - from.iteration);
}
