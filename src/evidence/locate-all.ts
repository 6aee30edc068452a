import type { AttributionRequest } from '../contract/index.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { Clock, Located, Log, Source } from '../core/ports.ts';
import { inSpan } from '../core/tracing.ts';
import { type ReadOptions, usualGraceMs } from './collect.ts';
import { logBug } from './log-bug.ts';

/** What locating brought. */
export interface LocatedAll {
  /** In the order of the sources. */
  readonly located: readonly Located[];
  /** Names of sources that had not told all they know when their time was up. */
  readonly late: readonly string[];
}

/** The time that locating may take of a request's; the rest is for reading. Names of nodes can be read by without it. */
const shares = { withNodes: 0.25, withoutNodes: 0.5 } as const;
/** Timers with a longer time fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** What runs out by the clock of the request, where there is one, and not by the machine's. */
export interface LocateOptions extends ReadOptions {
  readonly clock?: Pick<Clock, 'after'> | undefined;
}

const machineTime: Pick<Clock, 'after'> = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestTimerMs));
    return () => clearTimeout(timer);
  },
};

/**
 * What sources know of a workload. They have a share of the request's time: one that is slow, or broken in the midst of
 * an answer, must not take from the others what time there is to read. Those that throw say nothing.
 */
export async function locateAll(
  sources: readonly Source[],
  request: AttributionRequest,
  signal: AbortSignal,
  log: Log,
  { graceMs = usualGraceMs, tracer, clock = machineTime }: LocateOptions = {},
): Promise<LocatedAll> {
  const share = request.scope.nodes.length > 0 ? shares.withNodes : shares.withoutNodes;
  const cut = new AbortController();
  const abort = (): void => cut.abort();
  const stopTimer = clock.after(request.timeoutMs * share, abort);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const over = afterAbort(cut.signal, graceMs);
  const late = new Set<string>();
  const ask = async (source: Source): Promise<Located | null> => {
    const { locate } = source;
    if (locate === undefined) return null;
    try {
      const attributes = { 'attribution.source': source.name };
      const told = await inSpan(tracer, 'locate in source', { attributes }, () =>
        Promise.race([locate.call(source, request, cut.signal), over.ended]),
      );
      if (cut.signal.aborted) late.add(source.name);
      return told;
    } catch (error) {
      logBug(log, source, 'locate', error);
      return null;
    }
  };
  try {
    const told = await inSpan(tracer, 'locate', {}, () => Promise.all(sources.map(ask)));
    return { located: told.filter(answer => answer !== null), late: [...late] };
  } finally {
    stopTimer();
    signal.removeEventListener('abort', abort);
    over.cancel();
  }
}

/** Says in the coverage of sources that were late that names and times which they know may be missing. */
export function remarkOnLate(
  coverage: readonly SourceCoverage[],
  late: readonly string[],
): readonly SourceCoverage[] {
  if (late.length === 0) return coverage;
  const remark = 'not all it knows of where and when the job ran could be read in the time for that';
  return coverage.map(entry =>
    late.includes(entry.source) && !entry.remarks.includes(remark)
      ? { ...entry, remarks: [...entry.remarks, remark] }
      : entry,
  );
}

/** Resolves to null `graceMs` after `signal` aborts: what is late by less is waited for. */
function afterAbort(signal: AbortSignal, graceMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<null>(resolve => {
    const start = (): void => {
      timer = setTimeout(() => resolve(null), graceMs);
    };
    if (signal.aborted) start();
    else signal.addEventListener('abort', start, { once: true });
  });
  return { ended, cancel: () => clearTimeout(timer) };
}
