import type { Symptom } from '../../core/symptom.ts';
import { before, type Instant, millisecond, type Nanos, second } from '../../core/time.ts';
import { originRank, strengthRank } from './verdict.ts';

/** A time the request or the scheduler states, in whole seconds at the worst. */
export function wallInstant(nanos: Nanos): Instant {
  return { nanos, plusMinus: second, basis: 'stamped', clock: '\u0000stated', tick: nanos };
}

/** The same instant moved by some milliseconds; it leaves its clock, since ticks of lines cannot be moved. */
export function shifted(instant: Instant, byMs: number): Instant {
  if (instant.nanos === null) return instant;
  const nanos = instant.nanos + BigInt(Math.round(byMs)) * millisecond;
  return { ...instant, nanos, clock: `\u0000${instant.clock}${byMs}`, tick: nanos };
}

/**
 * Whether `later` is certainly more than `byMs` after `earlier`. Where both stamps are of one clock that counts time
 * their uncertainties cancel; an undated stamp is never certain.
 */
export function certainlyAfter(later: Instant, earlier: Instant, byMs = 0): boolean {
  if (byMs === 0) return before(earlier, later) === 'yes';
  if (later.nanos === null || earlier.nanos === null) return false;
  const apart = later.nanos - earlier.nanos - BigInt(Math.round(byMs)) * millisecond;
  if (later.clock === earlier.clock) return apart > 0n && before(earlier, later) === 'yes';
  return apart > later.plusMinus + earlier.plusMinus;
}

/** A total order for choosing one of several: strong before weak, trusted before less, dated early before late. */
export function byWeight(a: Symptom, b: Symptom): number {
  return strengthRank(a) - strengthRank(b) || originRank(a) - originRank(b) || byTime(a, b);
}

/** A total order by time for showing and for scanning; undated ones last, ties by what they are. */
export function byTime(a: Symptom, b: Symptom): number {
  return (
    compareNullable(a.first.nanos, b.first.nanos) ||
    compare(a.first.clock, b.first.clock) ||
    compare(a.first.tick, b.first.tick) ||
    strengthRank(a) - strengthRank(b) ||
    compare(a.rule, b.rule) ||
    compare(a.id, b.id)
  );
}

/**
 * The one that began first: a certain order decides, else strength and trust, else the stamps. The scan runs in
 * `byTime` order, so that the choice does not depend on the order of the input.
 */
export function earliestOf(symptoms: readonly Symptom[]): Symptom | undefined {
  let best: Symptom | undefined;
  for (const symptom of symptoms.toSorted(byTime)) {
    if (best === undefined || before(symptom.first, best.first) === 'yes') best = symptom;
    else if (before(best.first, symptom.first) !== 'yes' && byWeight(symptom, best) < 0) best = symptom;
  }
  return best;
}

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNullable(a: Nanos | null, b: Nanos | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compare(a, b);
}
