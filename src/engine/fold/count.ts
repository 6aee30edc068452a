import type { Instant } from '../../core/time.ts';
import { second } from '../../core/time.ts';
import type { CountCondition } from '../corpus/rule.ts';
import type { Sighting } from './sighting.ts';

/** What a rule's count condition counts together: sightings of equal groups. */
export function countGroup(condition: CountCondition, { rule, observation }: Sighting): string {
  const { origin, node, rank, source, stream, device, captures } = observation;
  const place = node === null ? (rank === null ? [source, stream] : [rank]) : [node];
  const devices = condition.by === 'node' ? null : device;
  return JSON.stringify([rule.id, origin, place, devices, condition.by === 'link' ? captures['link'] : null]);
}

/** Whether so many instants lie within the condition's time of each other; those that no time relates never do. */
export function meetsCount(condition: CountCondition, instants: readonly Instant[]): boolean {
  const dated = instants.flatMap(({ nanos }) => (nanos === null ? [] : [nanos]));
  if (isDense(condition, dated)) return true;
  const byClock = new Map<string, bigint[]>();
  for (const { nanos, clock, tick } of instants) {
    if (nanos === null && !clock.endsWith('#lines')) byClock.set(clock, [...(byClock.get(clock) ?? []), tick]);
  }
  return [...byClock.values()].some(ticks => isDense(condition, ticks));
}

function isDense({ atLeast, withinSeconds }: CountCondition, times: readonly bigint[]): boolean {
  const sorted = times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const within = BigInt(Math.round(withinSeconds * 1000)) * (second / 1000n);
  return sorted.some((time, index) => {
    const latest = sorted[index + atLeast - 1];
    return latest !== undefined && latest - time <= within;
  });
}
