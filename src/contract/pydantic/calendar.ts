/** A reading of clock and calendar, and the offset it was given with; null where it has none (naive). */
export interface Datetime {
  /** Microseconds from 1970-01-01T00:00:00 to the reading, as if it were UTC. */
  readonly localMicros: bigint;
  readonly offsetSeconds: number | null;
}

const microsPerSecond = 1_000_000n;
/** 0001-01-01T00:00:00 and 9999-12-31T23:59:59.999999, the ends of Python's calendar. */
export const firstMicros = -62_135_596_800_000_000n;
const lastMicros = 253_402_300_799_999_999n;

/** Nanoseconds since the Unix epoch; a naive reading counts as UTC. */
export function epochNanosOf({ localMicros, offsetSeconds }: Datetime): bigint {
  return (localMicros - BigInt(offsetSeconds ?? 0) * microsPerSecond) * 1000n;
}

/** The UTC reading of an instant, cut to microseconds and kept within Python's calendar. */
export function datetimeOf(epochNanos: bigint): Datetime {
  const micros = epochNanos / 1000n - (epochNanos % 1000n < 0n ? 1n : 0n);
  const within = micros < firstMicros ? firstMicros : micros > lastMicros ? lastMicros : micros;
  return { localMicros: within, offsetSeconds: 0 };
}

/**
 * A datetime as pydantic writes it: UTC as `Z`, other offsets as `+02:00`, none for a naive one; no fraction where it
 * is zero, else exactly six digits.
 */
export function formatDatetime({ localMicros, offsetSeconds }: Datetime): string {
  const remainder = Number(localMicros % microsPerSecond);
  const fraction = remainder < 0 ? remainder + 1_000_000 : remainder;
  const wholeSeconds = Number(localMicros / microsPerSecond) - (remainder < 0 ? 1 : 0);
  const days = Math.floor(wholeSeconds / 86_400);
  const decimals = fraction === 0 ? '' : `.${fraction.toString().padStart(6, '0')}`;
  return `${formatDate(days)}T${formatTime(wholeSeconds - days * 86_400)}${decimals}${formatOffset(offsetSeconds)}`;
}

function formatTime(secondOfDay: number): string {
  const minutes = Math.floor(secondOfDay / 60);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(secondOfDay % 60)}`;
}

const daysOfEra = 146_097;
/** Days from 0000-03-01, where an era of 400 years begins, to the Unix epoch. */
const epochDay = 719_468;

/** The date so many days after the epoch: several times as fast as asking a Date, and each answer holds many. */
function formatDate(days: number): string {
  const era = Math.floor((days + epochDay) / daysOfEra);
  const dayOfEra = days + epochDay - era * daysOfEra;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / (daysOfEra - 1));
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const fromMarch = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * fromMarch + 2) / 153);
  const day = fromMarch - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month < 3 ? 1 : 0);
  return `${year.toString().padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

function formatOffset(offsetSeconds: number | null): string {
  if (offsetSeconds === null) return '';
  if (offsetSeconds === 0) return 'Z';
  const minutes = Math.abs(offsetSeconds) / 60;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map(part => part.toString().padStart(2, '0'));
  return `${offsetSeconds < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** Days of a month of the Gregorian calendar, 0 for a month that is none. */
export function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Microseconds from the epoch to midnight of a date, years 0 to 9999. */
export function microsOfDate(year: number, month: number, day: number): bigint {
  return BigInt(new Date(0).setUTCFullYear(year, month - 1, day)) * 1000n;
}
