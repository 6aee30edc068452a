import type { Symptom } from '../../core/symptom.ts';
import { before, gap, millisecond } from '../../core/time.ts';
import type { Pass } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { detectionFamily } from './detection-family.ts';
import { certainlyAfter, shifted } from './order.ts';
import { numberIn } from './placements.ts';
import { isOpen, nameOf, settle } from './verdict.ts';

const name = 'survived';

/**
 * A fault followed by training progress did not kill the run: every iteration needs every rank. A state that lasts
 * may still strike later, so it is never excused, and slow progress excuses no straggler.
 */
export const survived: Pass = {
  name,
  run(symptoms, context) {
    if (detectionFamily(context.request.failureContext.detectionSignal) === 'straggler') return symptoms;
    const progress = latestProgress(symptoms);
    if (progress === undefined) return symptoms;
    const marginMs = Math.max(context.settings.survivedMs, 2 * iterationMs(progress));
    const survivedUntil = shifted(progress.last, -marginMs);
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.lasts) return symptom;
      if (certainlyAfter(progress.last, symptom.last, marginMs)) {
        return settle(symptom, 'context', name, `training went on after it: ${nameOf(progress)}`, progress.id);
      }
      return withoutWhatPreceded(symptom, survivedUntil);
    });
  },
};

function latestProgress(symptoms: readonly Symptom[]): Symptom | undefined {
  let latest: Symptom | undefined;
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== 'progress' || !isOpen(symptom) || symptom.last.nanos === null) continue;
    if (latest === undefined || before(latest.last, symptom.last) === 'yes') latest = symptom;
  }
  return latest;
}

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
