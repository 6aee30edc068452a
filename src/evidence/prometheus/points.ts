import type { Nanos } from '../../core/time.ts';

export interface SamplePoint {
  readonly nanos: Nanos;
  /** NaN where the exporter sent none. */
  readonly value: number;
}

/** The year 10000: what no clock shows, and what no datetime can say. */
const lastSecond = 253_402_300_800;

/** `[1796126400.5, "12"]`: seconds and a number in text; null where it is no such pair. */
export function pointOf(pair: unknown): SamplePoint | null {
  if (!Array.isArray(pair)) return null;
  const [seconds, written] = pair as readonly unknown[];
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds < lastSecond)) return null;
  if (typeof written !== 'string') return null;
  const value = numberOf(written);
  // Stamps are seconds with milliseconds; more digits are noise of the float.
  return value === null ? null : { nanos: BigInt(Math.round(seconds * 1000)) * 1_000_000n, value };
}

function numberOf(written: string): number | null {
  if (written === 'NaN') return Number.NaN;
  if (written === '+Inf') return Number.POSITIVE_INFINITY;
  if (written === '-Inf') return Number.NEGATIVE_INFINITY;
  const value = written.trim() === '' ? Number.NaN : Number(written);
  return Number.isNaN(value) ? null : value;
}

/** Labels of a series; what is no text is left out. */
export function labelsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
