/** A reading of a wall clock, as written. */
export interface WallStamp {
  readonly kind: 'wall';
  /** Null where the form has no year. */
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  readonly msOfDay: number;
  /** Nanoseconds below the millisecond. */
  readonly subMs: number;
  /** Whether it is written finer than to the second. */
  readonly fraction: boolean;
  /** Minutes ahead of UTC; null where none is written. */
  readonly offset: number | null;
}

/** A reading of the kernel's own clock: nanoseconds since its zero. */
export interface BootStamp {
  readonly kind: 'boot';
  readonly nanos: bigint;
}

export type Stamp = WallStamp | BootStamp;

/** A stamp and where it ends in the line. */
export interface Read<S extends Stamp = Stamp> {
  readonly stamp: S;
  readonly end: number;
}

/** Every expression here is sticky and bounded: it looks at a few dozen characters from `at`, whatever the line. */
function matchAt(expression: RegExp, line: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(line);
}

const iso =
  /(\d{4})([-/])(\d\d)\2(\d\d)[T _](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d{0,9})?(?: ?(Z|UTC|GMT)\b|([+-]\d\d)(?::?(\d\d))?(?!\d))?/y;

/** `2026-11-30T12:03:41.123456+00:00` and its kin: `T`, space or `_`; dot or comma; with, without and zero offset. */
export function readIso(line: string, at: number): Read<WallStamp> | null {
  const match = matchAt(iso, line, at);
  if (match === null) return null;
  const [whole, year, , month, day, hour, minute, second, fraction, zero, hours, minutes] = match;
  const offset = zero !== undefined ? 0 : hours === undefined ? null : offsetOf(hours, minutes ?? '00');
  return wall(at + whole.length, { year, month, day, hour, minute, second, fraction, offset });
}

const usDate = /(\d\d)\/(\d\d)\/(\d{4})[ -](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?/y;

/** `11/30/2026 12:03:41`, as several training frameworks set up Python's logging. */
export function readUsDate(line: string, at: number): Read<WallStamp> | null {
  const match = matchAt(usDate, line, at);
  if (match === null) return null;
  const [whole, month, day, year, hour, minute, second, fraction] = match;
  return wall(at + whole.length, { year, month, day, hour, minute, second, fraction, offset: null });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthName =
  /(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?: (UTC|GMT))?(?: (\d{4})(?=\]| |$))?/y;

/** `Nov 30 12:03:41` (no year), `Nov 30 2026 12:03:41` and `Mon Nov 30 12:03:41 2026`. */
export function readMonthName(line: string, at: number): Read<WallStamp> | null {
  const match = matchAt(monthName, line, at);
  if (match === null) return null;
  const [whole, name, day, early, hour, minute, second, fraction, zero, late] = match;
  const month = String(months.indexOf(name ?? '') + 1);
  const offset = zero === undefined ? null : 0;
  return wall(at + whole.length, { year: early ?? late, month, day, hour, minute, second, fraction, offset });
}

const glog = /([IWEFD])(\d{4})?(\d{1,2})(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,9})/y;

/** `E1130 12:03:41.123456`: severity, month and day, no year (some builds write it). */
export function readGlog(line: string, at: number): Read<WallStamp> | null {
  const match = matchAt(glog, line, at);
  if (match === null) return null;
  const [whole, , year, month, day, hour, minute, second, fraction] = match;
  return wall(at + whole.length, { year, month, day, hour, minute, second, fraction, offset: null });
}

const kernelClock = /\[ {0,10}(\d{1,10})\.(\d{1,9})(?: {1,2}< {0,10}[+\d.]{1,20}>)?\]/y;

/** `[12345.678901]`, with the distance to the line before (`<    0.000012>`) where dmesg was asked for it. */
export function readKernelClock(line: string, at: number): Read<BootStamp> | null {
  const match = matchAt(kernelClock, line, at);
  if (match === null) return null;
  const [whole, seconds = '0', fraction = ''] = match;
  const nanos = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  return { stamp: { kind: 'boot', nanos }, end: at + whole.length };
}

const epoch = /(\d{10})\.(\d{6})(?!\d)/y;

/** `1796040221.123456`: seconds and microseconds since 1970. */
export function readEpoch(line: string, at: number): Read<WallStamp> | null {
  const match = matchAt(epoch, line, at);
  if (match === null) return null;
  const [whole, seconds, fraction] = match;
  const date = new Date(Number(seconds) * 1000);
  return {
    end: at + whole.length,
    stamp: {
      kind: 'wall',
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      msOfDay: (date.getTime() % 86_400_000) + Math.floor(Number(fraction) / 1000),
      subMs: (Number(fraction) % 1000) * 1000,
      fraction: true,
      offset: 0,
    },
  };
}

function offsetOf(hours: string, minutes: string): number | null {
  const total = Math.abs(Number(hours)) * 60 + Number(minutes);
  if (total > 18 * 60 || Number(minutes) > 59) return null;
  return hours.startsWith('-') ? -total : total;
}

interface Written {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly hour: string | undefined;
  readonly minute: string | undefined;
  readonly second: string | undefined;
  readonly fraction: string | undefined;
  readonly offset: number | null;
}

/** Null where the digits are no date or no time of day. A leap second runs into the next minute. */
function wall(end: number, written: Written): Read<WallStamp> | null {
  const year = written.year === undefined ? null : Number(written.year);
  const month = Number(written.month);
  const day = Number(written.day);
  const hour = Number(written.hour);
  const minute = Number(written.minute);
  const second = Number(written.second);
  if (hour > 23 || minute > 59 || second > 60 || (year !== null && year < 1970)) return null;
  if (!isDate(year ?? 2000, month, day)) return null;
  const nanos = Number((written.fraction ?? '').padEnd(9, '0'));
  const ms = Math.floor(nanos / 1_000_000);
  return {
    end,
    stamp: {
      kind: 'wall',
      year,
      month,
      day,
      msOfDay: ((hour * 60 + minute) * 60 + second) * 1000 + ms,
      subMs: nanos - ms * 1_000_000,
      fraction: written.fraction !== undefined,
      offset: written.offset,
    },
  };
}

/** Whether a calendar has the day. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
