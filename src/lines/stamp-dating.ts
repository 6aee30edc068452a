import type { Instant, InstantBasis, Nanos } from '../core/time.ts';
import { second } from '../core/time.ts';
import type { LineDating } from './line.ts';
import { type BootStamp, isDate, readIso, type Stamp, type WallStamp } from './time-stamps.ts';
import { readingInZone } from './time-zones.ts';

/**
 * How far a stamp may be from true time, and which stamps of one stream are exact to each other (equal scale).
 *
 * | scale     | stamps                                | plus-minus | because                                          |
 * | --------- | ------------------------------------- | ---------- | ------------------------------------------------ |
 * | fine      | wall clock, finer than a second       | 1 s        | hosts agree by NTP                               |
 * | second    | wall clock, to the second             | 2 s        | the same, and a second cut off                   |
 * | projected | dmesg -T, dmesg --time-format iso     | 5 s        | boot time plus a clock that NTP does not correct |
 * | boot      | the kernel's clock, `[12345.678901]`  | 5 s        | the same sum, made here; null without boot time  |
 * | yearless  | no year written, none known           | -          | an order only                                    |
 */
const plusMinusOf = {
  fine: second,
  second: 2n * second,
  projected: 5n * second,
  boot: 5n * second,
  yearless: 0n,
} as const satisfies Record<string, Nanos>;

export interface DatingOptions {
  /** Host, rank or task whose clock this is, where one stream carries several. */
  readonly whose?: string | null;
  /** Stamps that a tool computed from the kernel's clock. */
  readonly projected?: boolean;
}

/** Dates a stamp: its nanoseconds, how sure they are, and its place on the clock it shares with its like. */
export function dateStamp(stamp: Stamp, dating: LineDating, options: DatingOptions = {}): Instant {
  return stamp.kind === 'boot' ? dateBoot(stamp, dating, options) : dateWall(stamp, dating, options);
}

/** Dates a text that is one ISO stamp and nothing else, such as a cell of a table; null for `Unknown` and its like. */
export function dateIso(text: string, dating: LineDating): Instant | null {
  const read = readIso(text, 0);
  return read === null || read.end !== text.length ? null : dateStamp(read.stamp, dating);
}

function dateBoot({ nanos }: BootStamp, dating: LineDating, options: DatingOptions): Instant {
  const anchored = dating.bootNanos !== null;
  return {
    nanos: dating.bootNanos === null ? null : dating.bootNanos + nanos,
    plusMinus: anchored ? plusMinusOf.boot : 0n,
    basis: anchored ? 'boot_anchored' : 'file_order',
    clock: clockOf(dating, 'boot', options),
    tick: nanos,
  };
}

function dateWall(stamp: WallStamp, dating: LineDating, options: DatingOptions): Instant {
  const year = stamp.year ?? yearOf(stamp, dating);
  if (year === null) {
    // A leap year holds every day that can be written.
    const tick = toNanos(readingIn(stamp, 2000), stamp.subMs);
    const clock = clockOf(dating, 'yearless', options);
    return { nanos: null, plusMinus: plusMinusOf.yearless, basis: 'file_order', clock, tick };
  }
  const localMs = readingIn(stamp, year);
  const { utcMs, repeatedMs } =
    stamp.offset === null
      ? readingInZone(localMs, dating.zone)
      : { utcMs: localMs - stamp.offset * 60_000, repeatedMs: 0 };
  const nanos = toNanos(utcMs, stamp.subMs);
  const scale = options.projected === true ? 'projected' : stamp.fraction ? 'fine' : 'second';
  // Readings that occur twice are no order, not even among themselves: each gets a clock of its own.
  const named = repeatedMs === 0 ? scale : `repeated-${localMs}`;
  return {
    nanos,
    plusMinus: plusMinusOf[scale] + toNanos(repeatedMs, 0),
    basis: basisOf(stamp, dating),
    clock: clockOf(dating, named, options),
    tick: nanos,
  };
}

function basisOf(stamp: WallStamp, dating: LineDating): InstantBasis {
  if (stamp.year === null) return 'year_assumed';
  return stamp.offset === null && dating.zoneAssumed ? 'zone_assumed' : 'stamped';
}

/** How far past the instant it was written near a stamp may lie: a window's end is followed by more lines. */
const aheadMs = 30 * 24 * 3_600_000;

/**
 * The year that brings the stamp nearest to where the stream is known to lie, but not into its future, else the
 * stream's year.
 */
function yearOf(stamp: WallStamp, dating: LineDating): number | null {
  const near = dating.near ?? null;
  if (near === null) {
    const year = dating.year;
    return year !== null && isDate(year, stamp.month, stamp.day) ? year : null;
  }
  const nearMs = Number(near / 1_000_000n);
  const middle = new Date(nearMs).getUTCFullYear();
  const candidates = [middle, middle - 1, middle + 1].filter(
    year => isDate(year, stamp.month, stamp.day) && readingIn(stamp, year) <= nearMs + aheadMs,
  );
  const distance = (year: number): number => Math.abs(readingIn(stamp, year) - nearMs);
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function readingIn(stamp: WallStamp, year: number): number {
  return Date.UTC(year, stamp.month - 1, stamp.day) + stamp.msOfDay;
}

function toNanos(ms: number, subMs: number): Nanos {
  return BigInt(ms) * 1_000_000n + BigInt(subMs);
}

function clockOf(dating: LineDating, scale: string, { whose }: DatingOptions): string {
  return whose === undefined || whose === null
    ? `${dating.clock}#${scale}`
    : `${dating.clock}#${scale}@${whose}`;
}
