/** Nanoseconds since the Unix epoch, UTC. */
export type Nanos = bigint;

/** How a stamp came to be; everything but `stamped` is said with the evidence. */
export type InstantBasis =
  | 'stamped'
  | 'zone_assumed'
  | 'year_assumed'
  | 'boot_anchored'
  | 'synthetic'
  | 'file_order';

/**
 * When something was observed. `nanos` is null where only an order is known.
 * `tick` is the position on `clock` (one host and boot, or one server, or one file): nanoseconds where the clock
 * stamps, else the line number. Ticks are comparable only on equal clocks, and there they are exact.
 */
export interface Instant {
  readonly nanos: Nanos | null;
  readonly plusMinus: Nanos;
  readonly basis: InstantBasis;
  readonly clock: string;
  readonly tick: bigint;
}

/** A half-open span of time, `from` included. */
export interface Window {
  readonly from: Nanos;
  readonly to: Nanos;
}

export type Ternary = 'yes' | 'no' | 'unknown';

/** Whether `a` lies before `b`: two stamps of one clock are exact to each other, others only outside their plus-minus. */
export function before(a: Instant, b: Instant): Ternary {
  if (a.clock === b.clock) return a.tick < b.tick ? 'yes' : 'no';
  if (a.nanos === null || b.nanos === null) return 'unknown';
  if (a.nanos + a.plusMinus < b.nanos - b.plusMinus) return 'yes';
  if (b.nanos + b.plusMinus < a.nanos - a.plusMinus) return 'no';
  return 'unknown';
}

/** Nanoseconds between two instants where both are dated, else null; exact on one clock. */
export function gap(from: Instant, to: Instant): Nanos | null {
  if (from.nanos === null || to.nanos === null) return null;
  return to.nanos - from.nanos;
}

/** The earliest and the latest of some times; at least one must be given. */
export const earliest = (times: readonly Nanos[]): Nanos => times.reduce((a, b) => (a < b ? a : b));
export const latest = (times: readonly Nanos[]): Nanos => times.reduce((a, b) => (a > b ? a : b));

export const second = 1_000_000_000n;
export const millisecond = 1_000_000n;
export const minute = 60n * second;

/** Nanoseconds as pydantic writes a UTC datetime: no fraction, or exactly six digits, and `Z`. */
export function formatNanos(nanos: Nanos): string {
  const micros = nanos >= 0n ? nanos / 1000n : -((-nanos + 999n) / 1000n);
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const date = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return fraction === 0n ? `${date}Z` : `${date}.${fraction.toString().padStart(6, '0')}Z`;
}
