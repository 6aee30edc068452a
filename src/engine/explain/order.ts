import type { Symptom } from '../../core/symptom.ts';
import { before, type Instant, millisecond, minute, type Nanos, second } from '../../core/time.ts';
import { originRank, strengthRank } from './verdict.ts';

/** Clocks of two machines are taken to differ by so much at the most, in milliseconds. */
export const skewMs = 300_000;

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

/** How long after the stamp before it a line without a stamp of its own may have been written. */
const unstampedLag = 15n * minute;

/**
 * A line without a stamp is dated by the one before it: it was written then or later. In the same file the stamps
 * around it hold it fast, elsewhere it may have come much later than it says.
 */
function latestOf(earlier: Instant, later: Instant): Nanos {
  const nanos = earlier.nanos ?? 0n;
  if (earlier.basis !== 'file_order' || fileOf(earlier) === fileOf(later)) return nanos;
  return nanos + unstampedLag;
}

/** Clocks of one file share a name; behind it stands which of its stamps, or `#lines` for what has none. */
const fileOf = ({ clock }: Instant): string => clock.slice(0, Math.max(0, clock.lastIndexOf('#')));

/** Whether a clock counts nanoseconds, dated or not (since a start, within a year unknown), and not lines. */
const countsTime = ({ clock }: Instant): boolean => !clock.endsWith('#lines');

/**
 * Whether `later` is certainly more than `byMs` after `earlier`. Where both stamps are of one clock that counts time
 * their uncertainties cancel; between clocks an undated stamp is never certain.
 */
export function certainlyAfter(later: Instant, earlier: Instant, byMs = 0): boolean {
  const margin = BigInt(Math.round(byMs)) * millisecond;
  if (later.nanos === null || earlier.nanos === null) {
    const ordered = before(earlier, later) === 'yes';
    return ordered && (byMs === 0 || (countsTime(later) && later.tick - earlier.tick > margin));
  }
  const apart = later.nanos - latestOf(earlier, later) - margin;
  if (later.clock === earlier.clock) return (byMs === 0 || apart > 0n) && before(earlier, later) === 'yes';
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
    if (best === undefined || certainlyAfter(best.first, symptom.first)) best = symptom;
    else if (!certainlyAfter(symptom.first, best.first) && byWeight(symptom, best) < 0) best = symptom;
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
