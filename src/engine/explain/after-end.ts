import type { Symptom } from '../../core/symptom.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { cleanUpOf } from './clean-up.ts';
import { detectionFamily } from './detection-family.ts';
import { consequencesOn } from './one-fault.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { isStrong, settle } from './verdict.ts';

const name = 'after-end';

/**
 * What begins after the end is teardown: kills, drains, cleaned-up channels. Health checks run after the end by
 * design and still say what the node is like, as does a missing device that a scheduler notices then. While a hang or
 * a straggler is looked into the job may still run, so that only an end the request itself states counts.
 * A node whose clock is proven wrong is judged by the right time, and one that cleaned up with the others by its own;
 * what had consequences before the end began before it, whatever its own clock shows.
 */
export const afterEnd: Pass = {
  name,
  run(symptoms, context) {
    const end = endOf(context);
    if (end === null) return symptoms;
    const instant = wallInstant(end.nanos);
    const cleanUp = cleanUpOf(symptoms);
    const consequenceOf = consequencesOn(symptoms, ({ first }) => !certainlyAfter(first, instant, end.slackMs));
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || tellsAboutBefore(symptom)) return symptom;
      if (cleanUp.precedes(symptom)) {
        return settle(symptom, 'teardown', name, 'came when the node had cleaned up after the job');
      }
      if (!certainlyAfter(cleanUp.corrected(symptom, symptom.first), instant, end.slackMs)) return symptom;
      if (symptom.origin === 'kernel' && consequenceOf(symptom) !== undefined) return symptom;
      return settle(symptom, 'teardown', name, end.said);
    });
  },
};

interface End {
  readonly nanos: bigint;
  readonly slackMs: number;
  readonly said: string;
}

function endOf(context: ReasoningContext): End | null {
  const stated = context.request.workloadContext.jobEndTime;
  const crashed = detectionFamily(context.request.failureContext.detectionSignal) === 'crash';
  const end = crashed ? context.jobEnd : stated;
  if (end !== null) return { nanos: end, slackMs: 0, said: 'began after the job had ended' };
  if (!crashed) return null;
  const slackMs = context.settings.detectionSlackMs;
  return { nanos: context.moment, slackMs, said: 'began well after the failure had been detected' };
}

function tellsAboutBefore(symptom: Symptom): boolean {
  if (symptom.origin === 'health') return isStrong(symptom);
  return symptom.lasts && symptom.strength === 'S1';
}
