import type { Nanos } from '../core/time.ts';

const first = -(2n ** 63n);
const last = 2n ** 63n - 1n;

/** The time a store can compare with that is nearest to one which may lie beyond all that it holds. */
export function storableTime(nanos: Nanos): Nanos {
  if (nanos < first) return first;
  return nanos > last ? last : nanos;
}
