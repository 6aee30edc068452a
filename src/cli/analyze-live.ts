import type { Settings } from '../config/settings.ts';
import { type AttributionRequest, datetimeToWire } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import type { Located, Log, Source } from '../core/ports.ts';
import { earliest, latest, minute, type Nanos, type Window } from '../core/time.ts';
import { locateAll } from '../evidence/locate-all.ts';
import { cutAtPresent, fastWindow } from '../providers/rules/windows.ts';
import type { AnalyzeRequest } from './analyze-options.ts';
import type { AnalyzeScope } from './analyze-scope.ts';

/** What runs after a job, such as health checks, is looked for so long after its end. */
const epilogTime = 60n * minute;

/** Throws StartupError where sources or the job are missing that an analysis without paths needs. */
export function liveWanted({ job }: AnalyzeRequest, { sources }: Settings): void {
  if (sources.length === 0) {
    throw new StartupError(
      'no paths are given, and no evidence source is configured: give folders of logs, or --config FILE with "sources"',
    );
  }
  if (job === null) {
    throw new StartupError(
      'no paths are given: say with --job which job the configured sources are asked about',
    );
  }
}

/**
 * What the configured sources are to read about a job: its nodes and times as the scheduler tells them, what a fast
 * request would read around its end or `--at`, and the epilog after it. Throws StartupError where that cannot be told.
 */
export async function scopeOfLive(
  sources: readonly Source[],
  asked: AnalyzeRequest,
  now: Nanos,
  settings: Settings,
  log: Log,
): Promise<AnalyzeScope> {
  const job = asked.job ?? '';
  const first = requestOf(asked, job, asked.at ?? asked.end ?? now, null);
  const { located } = await locateAll(sources, first, new AbortController().signal, log);
  const known = knownOf(located);
  const end = asked.end ?? known.end;
  const at = asked.at ?? end;
  if (asked.nodes.length === 0 && known.nodes === 0) throw unknownJob(sources, located, job);
  if (at === null) throw withoutEnd(known.start, job);
  const request = requestOf(asked, job, at, { start: known.start, end });
  const { past, notYet } = fastWindow(request, now, settings.window);
  const epilog = epilogOf(asked, end);
  return {
    request,
    asked: {
      fast: { from: past.from, to: notYet?.to ?? past.to },
      failure: end === null ? at : latest([at, end]),
      epilog,
    },
    scope: {
      windows: [past],
      epilogWindow: epilog === null ? null : cutAtPresent(epilog, now).past,
      notYet,
      only: null,
      everything: false,
      moment: end === null ? at : earliest([at, end]),
    },
  };
}

function requestOf(
  asked: AnalyzeRequest,
  job: string,
  detectedAt: Nanos,
  known: { readonly start: Nanos | null; readonly end: Nanos | null } | null,
): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: job,
    scope: {
      nodes: asked.nodes,
      ranks: [],
      startTime: asked.start ?? known?.start ?? null,
      endTime: asked.end,
    },
    failureContext: { detectedAt, detectionSignal: 'crash' },
    timeoutMs: Number.MAX_SAFE_INTEGER,
    workloadContext: { workflowId: 'analyze', attemptIndex: 0, jobEndTime: known?.end ?? null },
    phase: 'fast',
    continueSession: null,
    userId: '',
  };
}

interface Known {
  readonly nodes: number;
  readonly start: Nanos | null;
  readonly end: Nanos | null;
}

function knownOf(located: readonly Located[]): Known {
  return {
    nodes: located.find(({ nodes }) => nodes.length > 0)?.nodes.length ?? 0,
    start: located.find(({ jobStart }) => jobStart !== null)?.jobStart ?? null,
    end: located.find(({ jobEnd }) => jobEnd !== null)?.jobEnd ?? null,
  };
}

/** With `--phase fast` nothing after the job is read. */
function epilogOf({ phase, start, end }: AnalyzeRequest, jobEnd: Nanos | null): Window | null {
  if (phase === 'fast') return null;
  if (phase === 'slow' && start !== null && end !== null) return { from: start, to: end };
  return jobEnd === null ? null : { from: jobEnd, to: jobEnd + epilogTime };
}

function unknownJob(sources: readonly Source[], located: readonly Located[], job: string): StartupError {
  if (!sources.some(({ origins }) => origins.includes('scheduler'))) {
    return new StartupError(
      `nothing tells where job ${job} ran: add a source of kind slurm to "sources", or give --nodes and --at`,
    );
  }
  const said = [...new Set(located.map(entry => entry.said))].join('; ');
  return new StartupError(
    `job ${job} is unknown${said === '' ? '' : ` (${said})`}: check --job, see with doctor whether the scheduler answers, or give --nodes and --at`,
  );
}

function withoutEnd(start: Nanos | null, job: string): StartupError {
  const since = start === null ? '' : `, since ${datetimeToWire(start)}`;
  return new StartupError(
    `job ${job} has no end${since}: it still runs, or nothing tells its end; say with --at TIME when it failed`,
  );
}
