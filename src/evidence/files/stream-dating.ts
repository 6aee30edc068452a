import type { Dating } from '../../core/batch.ts';
import { minute, type Nanos, second, type Window } from '../../core/time.ts';
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

const day = 24n * 60n * minute;
/** A file that was last changed so long before the job holds what was written a year ago on days like the job's. */
const otherYear = 300n * day;
/** Packers that want equal archives set times to 1970, 1980 or 1985, which says nothing of when a log was written. */
const earliestChange = 1_262_304_000n * second;

export function streamDating({ timezone, window, modified, jobEnd, bootNanos }: DatingFacts): Dating {
  const asked = window?.to ?? jobEnd ?? modified;
  const near = modified > earliestChange && modified < asked - otherYear ? modified : asked;
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
