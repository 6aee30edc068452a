import type { SourceCoverage } from '../core/coverage.ts';
import type { Nanos, Window } from '../core/time.ts';

/** The windows that an analysis asks for, whether they have passed or not. */
export interface AskedWindows {
  readonly fast: Window;
  /** What lies behind it may still be written where the window has not passed. */
  readonly failure: Nanos;
  readonly epilog: Window | null;
}

/**
 * Coverage with windows as they were asked for. Nobody can read beyond the present, `now`, but printed it would make two
 * analyses of the same evidence differ: what may still come is told from the failure, or the job's end, on.
 */
export function showAsked(
  coverage: readonly SourceCoverage[],
  asked: AskedWindows,
  now: Nanos,
): readonly SourceCoverage[] {
  return coverage.map(entry => {
    if (entry.window?.to !== now) return entry;
    const isEpilog = entry.origin === 'health' && asked.epilog !== null;
    const { to } = isEpilog ? asked.epilog : asked.fast;
    const since = isEpilog ? asked.epilog.from : asked.failure;
    return { ...entry, window: { from: entry.window.from, to }, notYet: { from: since, to } };
  });
}
