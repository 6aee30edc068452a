import type { Datetime } from './calendar.ts';
import { daysIn, microsOfDate } from './calendar.ts';

/** Microseconds of a date's midnight, or the reason why there is none. */
export type DateReading = { readonly micros: bigint } | { readonly reason: string };

const digitZero = 0x30;
const dash = 0x2d;
const colon = 0x3a;

/**
 * A date and time as RFC 3339 has it, and as pydantic widens that: `T`, `t`, a space or `_` between, seconds optional,
 * a comma for the point, fractions cut to six digits, offsets without colon or with U+2212, or no offset at all.
 * Null where the bytes (UTF-8) are anything else.
 */
export function readDatetimeText(bytes: Uint8Array): Datetime | null {
  const date = readDatePrefix(bytes);
  if (!('micros' in date) || !isSeparator(bytes[10])) return null;
  const time = readTime(bytes, 11);
  if (time === null) return null;
  const offset = readOffset(bytes, time.end);
  if (offset === null) return null;
  return { localMicros: date.micros + time.micros, offsetSeconds: offset.seconds };
}

/** A date and nothing else. */
export function readDateText(bytes: Uint8Array): DateReading {
  const date = readDatePrefix(bytes);
  if ('micros' in date && bytes.length > 10) {
    return { reason: 'unexpected extra characters at the end of the input' };
  }
  return date;
}

function readDatePrefix(bytes: Uint8Array): DateReading {
  if (bytes.length < 10) return { reason: 'input is too short' };
  const year = readDigits(bytes, 0, 4);
  if (year === null) return { reason: 'invalid character in year' };
  if (bytes[4] !== dash) return { reason: 'invalid date separator, expected `-`' };
  const month = readDigits(bytes, 5, 2);
  if (month === null) return { reason: 'invalid character in month' };
  if (bytes[7] !== dash) return { reason: 'invalid date separator, expected `-`' };
  const day = readDigits(bytes, 8, 2);
  if (day === null) return { reason: 'invalid character in day' };
  const days = daysIn(year, month);
  if (days === 0) return { reason: 'month value is outside expected range of 1-12' };
  if (day < 1 || day > days) return { reason: 'day value is outside expected range' };
  return { micros: microsOfDate(year, month, day) };
}

function isSeparator(byte: number | undefined): boolean {
  return byte === 0x54 || byte === 0x74 || byte === 0x20 || byte === 0x5f;
}

function readTime(bytes: Uint8Array, from: number): { readonly micros: bigint; readonly end: number } | null {
  const hour = readDigits(bytes, from, 2);
  const minute = readDigits(bytes, from + 3, 2);
  if (hour === null || minute === null || bytes[from + 2] !== colon || hour > 23 || minute > 59) return null;
  const minutes = BigInt(hour * 60 + minute);
  if (bytes[from + 5] !== colon) return { micros: minutes * 60_000_000n, end: from + 5 };
  const second = readDigits(bytes, from + 6, 2);
  if (second === null || second > 59) return null;
  const fraction = readFraction(bytes, from + 8);
  if (fraction === null) return null;
  const seconds = minutes * 60n + BigInt(second);
  return { micros: seconds * 1_000_000n + BigInt(fraction.micros), end: fraction.end };
}

function readFraction(
  bytes: Uint8Array,
  from: number,
): { readonly micros: number; readonly end: number } | null {
  if (bytes[from] !== 0x2e && bytes[from] !== 0x2c) return { micros: 0, end: from };
  let end = from + 1;
  let micros = 0;
  let unit = 100_000;
  for (let digit = readDigits(bytes, end, 1); digit !== null; digit = readDigits(bytes, end, 1)) {
    micros += digit * Math.floor(unit);
    unit /= 10;
    end += 1;
  }
  return end === from + 1 ? null : { micros, end };
}

function readOffset(bytes: Uint8Array, from: number): { readonly seconds: number | null } | null {
  const first = bytes[from];
  if (first === undefined) return { seconds: null };
  if (first === 0x5a || first === 0x7a) return bytes.length === from + 1 ? { seconds: 0 } : null;
  const sign = readSign(bytes, from);
  if (sign === null) return null;
  const hour = readDigits(bytes, sign.end, 2);
  const minuteAt = bytes[sign.end + 2] === colon ? sign.end + 3 : sign.end + 2;
  const minute = readDigits(bytes, minuteAt, 2);
  if (hour === null || minute === null || hour > 23 || minute > 59 || bytes.length !== minuteAt + 2)
    return null;
  return { seconds: sign.factor * (hour * 3600 + minute * 60) };
}

function readSign(bytes: Uint8Array, from: number): { readonly factor: 1 | -1; readonly end: number } | null {
  if (bytes[from] === 0x2b) return { factor: 1, end: from + 1 };
  if (bytes[from] === dash) return { factor: -1, end: from + 1 };
  const isMinusSign = bytes[from] === 0xe2 && bytes[from + 1] === 0x88 && bytes[from + 2] === 0x92;
  return isMinusSign ? { factor: -1, end: from + 3 } : null;
}

function readDigits(bytes: Uint8Array, from: number, count: number): number | null {
  let number = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = (bytes[at] ?? 0) - digitZero;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}
