import type { Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import { certainlyAfter } from './order.ts';
import { isOpen } from './verdict.ts';

/** Could be a cause or a consequence; the rest (progress, boot, placement, ...) is told for context only. */
export function isCausal(symptom: Symptom): boolean {
  return (
    symptom.ruleRole === 'root' ||
    symptom.ruleRole === 'cascade' ||
    symptom.ruleRole === 'victim' ||
    symptom.ruleRole === 'confirmation'
  );
}

/** Causal, and no pass has spoken yet. */
export const isUndecided = (symptom: Symptom): boolean => isOpen(symptom) && isCausal(symptom);

/**
 * A symptom without what was seen of it before `start`, where something was seen of it later; unchanged where all of
 * it may lie after `start`. Its last observation stays as a citation where the kept ones are all too early.
 */
export function withoutWhatPreceded(symptom: Symptom, start: Instant): Symptom {
  if (!certainlyAfter(start, symptom.first)) return symptom;
  const kept = symptom.observations.filter(observation => !certainlyAfter(start, observation.instant));
  return {
    ...symptom,
    first: kept[0]?.instant ?? symptom.last,
    observations: kept.length > 0 ? kept : symptom.observations.slice(-1),
  };
}
