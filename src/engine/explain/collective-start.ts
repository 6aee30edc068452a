import type { Observation, Symptom } from '../../core/symptom.ts';
import { type Instant, millisecond, minute, type Nanos } from '../../core/time.ts';
import type { ReasoningContext } from '../context.ts';
import { certainlyAfter, shifted } from './order.ts';
import { numberIn } from './placements.ts';

/** The cause of a stuck collective lies around its start; this much before it is worth looking at. */
export const lookBack = 5n * minute;

/** When the first collective got stuck, and the symptom whose line tells. */
export interface StuckCollective {
  readonly start: Instant;
  readonly shownBy: Symptom;
}

/**
 * The earliest start among lines that say how long a collective has been running: log time minus running time. Training
 * went on until its last progress, so that nothing was stuck before; and a line without a stamp of its own does not
 * tell when it was written.
 */
export function stuckCollective(symptoms: readonly Symptom[]): StuckCollective | null {
  const progress = symptoms.filter(symptom => symptom.ruleRole === 'progress').map(symptom => symptom.last);
  const latest = progress.reduce<Instant | null>((a, b) => (a === null || certainlyAfter(b, a) ? b : a), null);
  let earliest: StuckCollective | null = null;
  for (const symptom of symptoms) {
    if (symptom.role !== 'unknown' && symptom.role !== 'cascade') continue;
    for (const observation of symptom.observations) {
      const start = startOf(observation);
      if (start?.nanos == null || (latest !== null && certainlyAfter(latest, start, lastStepMs))) continue;
      if (earliest?.start.nanos == null || start.nanos < earliest.start.nanos) {
        earliest = { start, shownBy: symptom };
      }
    }
  }
  return earliest;
}

/**
 * From when on the cause of a stuck collective is worth looking for; null where none got stuck. A line that tells how
 * long a collective had been running, but not when it was written, was written before the job was over.
 */
export function causeFrom(symptoms: readonly Symptom[], context: ReasoningContext): Nanos | null {
  const start = stuckCollective(symptoms)?.start.nanos;
  if (start != null) return start - lookBack;
  const running = symptoms.flatMap(undatedRunningMs);
  if (running.length === 0) return null;
  const over = context.jobEnd ?? context.moment;
  return over - BigInt(Math.round(Math.max(...running))) * millisecond - lookBack;
}

/**
 * How much later than the stamp before it a line without a stamp may have been written because of what it tells: the
 * collective may have got stuck at that stamp and run this long. 0 where no line tells.
 */
export function undatedLagMs(symptom: Symptom): number {
  return Math.max(0, ...undatedRunningMs(symptom));
}

/** At most as long as a watchdog is ever given: a number out of all reason would look back for ever. */
const longestRunningMs = 4 * 3_600_000;

function undatedRunningMs(symptom: Symptom): readonly number[] {
  if (symptom.role !== 'unknown' && symptom.role !== 'cascade') return [];
  return symptom.observations
    .filter(({ instant }) => instant.nanos === null || instant.basis === 'file_order')
    .map(({ captures }) => numberIn(captures['running_ms']))
    .filter(running => running !== null)
    .filter(running => running <= longestRunningMs);
}

/** Steps overlap: what belongs to the next may have been enqueued this long before the last one was told. */
const lastStepMs = 60_000;

/** Running times are told in whole milliseconds, but the watchdog looks only every so often. */
const watchdogPlusMinus = 2_000n * millisecond;

function startOf({ instant, captures }: Observation): Instant | null {
  const running = numberIn(captures['running_ms']);
  if (running === null || instant.nanos === null || instant.basis === 'file_order') return null;
  const start = shifted(instant, -running);
  return { ...start, plusMinus: start.plusMinus + watchdogPlusMinus };
}
