import type { Clock } from '../core/ports.ts';
import { minute } from '../core/time.ts';

/** When a store looks for what has grown too old or too much: once a minute, and on while there is more. */
export interface Clearance {
  isDue(): boolean;
  /** Says that one piece was cleared away, and whether there may be more. */
  done(isMore: boolean): void;
}

export function clearanceOf(clock: Clock): Clearance {
  let next: bigint | null = null;
  return {
    isDue: () => next === null || clock.now() >= next,
    done(isMore) {
      next = isMore ? null : clock.now() + minute;
    },
  };
}
