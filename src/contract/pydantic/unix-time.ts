import type { Datetime } from './calendar.ts';

/** A reading of a Unix time, or the reason why there is none. */
export type UnixReading = Datetime | { readonly reason: string };

/** Beyond this magnitude a number means milliseconds. */
const watershed = 20_000_000_000n;
/** 0000-01-01T00:00:00 and 9999-12-31T23:59:59 in seconds. */
const firstSecond = -62_167_219_200n;
const lastSecond = 253_402_300_799n;

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Seconds, or milliseconds beyond 2e10, and microseconds to be added. */
export function fromUnixInteger(timestamp: bigint, extraMicros: bigint): UnixReading {
  const inMillis = timestamp > watershed || timestamp < -watershed;
  const micros = timestamp * (inMillis ? 1000n : 1_000_000n) + extraMicros;
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  if (seconds < firstSecond) return { reason: 'dates before 0000 are not supported as unix timestamps' };
  if (seconds > lastSecond) return { reason: 'dates after 9999 are not supported as unix timestamps' };
  return { localMicros: micros, offsetSeconds: 0 };
}

/**
 * A JSON number with a fraction. As pydantic does, the fraction is added to the next lower integer whatever the sign,
 * so that -1.25 means 0.75 seconds before the epoch.
 */
export function fromUnixFloat(timestamp: number): UnixReading {
  if (Number.isNaN(timestamp)) return { reason: 'NaN values not permitted' };
  if (!Number.isFinite(timestamp)) return fromUnixInteger(asInt64(timestamp), 0n);
  const fraction = Math.abs(timestamp % 1);
  const perUnit = Math.abs(timestamp) > Number(watershed) ? 1000 : 1_000_000;
  return fromUnixInteger(asInt64(Math.floor(timestamp)), BigInt(Math.round(fraction * perUnit)));
}

/** A Unix time in decimal digits, with sign, point and (where there is a point) exponent; null for any other text. */
export function fromUnixText(text: string): UnixReading | null {
  if (text.includes('.')) return isDecimal(text) ? fromDecimal(Number(text)) : null;
  const integer = readInt64(text);
  return integer === null ? null : fromUnixInteger(integer, 0n);
}

function fromDecimal(timestamp: number): UnixReading {
  if (!Number.isFinite(timestamp)) return fromUnixInteger(asInt64(timestamp), 0n);
  const seconds = Math.abs(timestamp) > Number(watershed) ? timestamp / 1000 : timestamp;
  const whole = Math.floor(seconds);
  return fromUnixInteger(asInt64(whole), BigInt(Math.round((seconds - whole) * 1_000_000)));
}

/** As Rust converts a float: what does not fit becomes the nearest that does. */
function asInt64(value: number): bigint {
  if (value >= 2 ** 63) return maxInt64;
  return value <= -(2 ** 63) ? minInt64 : BigInt(value);
}

function readInt64(text: string): bigint | null {
  if (text.length > 100 || !/^[+-]?\d+$/.test(text)) return null;
  const value = BigInt(text.replace('+', ''));
  return value < minInt64 || value > maxInt64 ? null : value;
}

function isDecimal(text: string): boolean {
  return text.length <= 1000 && /^[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
}
