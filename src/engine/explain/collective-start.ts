import type { Observation, Symptom } from '../../core/symptom.ts';
import { type Instant, millisecond } from '../../core/time.ts';
import { shifted } from './order.ts';
import { numberIn } from './placements.ts';

/** When the first collective got stuck, and the symptom whose line tells. */
export interface StuckCollective {
  readonly start: Instant;
  readonly shownBy: Symptom;
}

/** The earliest start among lines that say how long a collective has been running: log time minus running time. */
export function stuckCollective(symptoms: readonly Symptom[]): StuckCollective | null {
  let earliest: StuckCollective | null = null;
  for (const symptom of symptoms) {
    if (symptom.role !== 'unknown' && symptom.role !== 'cascade') continue;
    for (const observation of symptom.observations) {
      const start = startOf(observation);
      if (start?.nanos == null) continue;
      if (earliest?.start.nanos == null || start.nanos < earliest.start.nanos) {
        earliest = { start, shownBy: symptom };
      }
    }
  }
  return earliest;
}

/** Running times are told in whole milliseconds, but the watchdog looks only every so often. */
const watchdogPlusMinus = 2_000n * millisecond;

function startOf({ instant, captures }: Observation): Instant | null {
  const running = numberIn(captures['running_ms']);
  if (running === null || instant.nanos === null) return null;
  const start = shifted(instant, -running);
  return { ...start, plusMinus: start.plusMinus + watchdogPlusMinus };
}
