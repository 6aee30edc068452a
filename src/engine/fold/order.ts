import type { Observation } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import { compareText } from '../corpus/problem.ts';

/**
 * A total order in which to keep the earliest of many: dated before undated, by stamp, then by place. It says nothing
 * about what came first where time leaves that open.
 */
export function compareObservations(a: Observation, b: Observation): number {
  return (
    compareInstants(a.instant, b.instant) ||
    compareText(a.source, b.source) ||
    compareText(a.stream, b.stream) ||
    placeOf(a) - placeOf(b) ||
    compareBig(a.instant.tick, b.instant.tick) ||
    compareText(a.text, b.text) ||
    compareText(JSON.stringify(a.captures), JSON.stringify(b.captures))
  );
}

/** The order in which to keep the latest: a date says more about an end than none. */
export function compareLatest(a: Observation, b: Observation): number {
  const undated = (a.instant.nanos === null ? 1 : 0) - (b.instant.nanos === null ? 1 : 0);
  return undated === 0 ? compareObservations(a, b) : -undated;
}

export function compareInstants(a: Instant, b: Instant): number {
  if (a.nanos === null || b.nanos === null) return (a.nanos === null ? 1 : 0) - (b.nanos === null ? 1 : 0);
  return compareBig(a.nanos, b.nanos);
}

function compareBig(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function placeOf({ reference }: Observation): number {
  return reference.kind === 'file' ? reference.line : 0;
}
