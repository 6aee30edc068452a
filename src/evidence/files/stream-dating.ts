import type { Dating } from '../../core/batch.ts';
import type { Nanos, Window } from '../../core/time.ts';
import type { LineDating } from '../../lines/line.ts';

/** What dates the lines of one stream when they do not say it all themselves. */
export interface DatingFacts {
  /** The configured zone, or null where nobody configured one. */
  readonly timezone: string | null;
  readonly window: Window | null;
  /** When the file was last changed: about when its last line was written, where there is no window. */
  readonly modified: Nanos;
  /** End of the job, where the scheduler's text tells it. */
  readonly jobEnd: Nanos | null;
  readonly bootNanos: Nanos | null;
}

export function streamDating({ timezone, window, modified, jobEnd, bootNanos }: DatingFacts): Dating {
  const near = window?.to ?? jobEnd ?? modified;
  return {
    zone: timezone ?? 'UTC',
    zoneAssumed: timezone === null,
    year: new Date(Number(near / 1_000_000n)).getUTCFullYear(),
    bootNanos,
    near,
  };
}

/** The same for a single line of a stream; stamps of one stream share its clock. */
export function lineDating(dating: Dating, stream: string): LineDating {
  return { ...dating, clock: stream };
}
