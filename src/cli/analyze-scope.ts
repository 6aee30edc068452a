import type { Settings } from '../config/settings.ts';
import type { AttributionRequest, Phase } from '../contract/index.ts';
import { type Nanos, second } from '../core/time.ts';
import type { ReadingScope } from '../providers/rules/reading-scope.ts';
import { fastWindow } from '../providers/rules/windows.ts';
import type { AnalyzeRequest } from './analyze-options.ts';

/** What is asked of the sources, and what they are to read for it. */
export interface AnalyzeScope {
  readonly request: AttributionRequest;
  readonly scope: ReadingScope;
}

/** What logs on disk are read for: everything, unless a phase is given. */
export function scopeOfPaths(asked: AnalyzeRequest, now: Nanos, settings: Settings): AnalyzeScope {
  const request = requestOf(asked, now);
  return { request, scope: scopeOf(asked, request, now, settings) };
}

/** Without an end the latest thing seen is the moment; the request then only carries what was given. */
function requestOf(asked: AnalyzeRequest, now: Nanos): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: asked.job ?? '',
    scope: { nodes: asked.nodes, ranks: [], startTime: asked.start, endTime: asked.end },
    failureContext: { detectedAt: momentOf(asked) ?? now, detectionSignal: 'crash' },
    timeoutMs: Number.MAX_SAFE_INTEGER,
    workloadContext: { workflowId: 'analyze', attemptIndex: 0, jobEndTime: null },
    phase: asked.phase ?? 'fast',
    continueSession: null,
    userId: '',
  };
}

function momentOf({ at, end }: AnalyzeRequest): Nanos | null {
  return at ?? end;
}

/** Given a phase, what a request of that phase would read; else everything, epilog included. */
function scopeOf(
  asked: AnalyzeRequest,
  request: AttributionRequest,
  now: Nanos,
  settings: Settings,
): ReadingScope {
  if (asked.phase === null) {
    return {
      windows:
        asked.start !== null && asked.end !== null ? [{ from: asked.start, to: asked.end + second }] : [],
      epilogWindow: { from: 0n, to: now },
      notYet: null,
      only: null,
      everything: true,
      moment: momentOf(asked),
    };
  }
  return scopeOfPhase(asked.phase, asked, request, now, settings);
}

function scopeOfPhase(
  phase: Phase,
  asked: AnalyzeRequest,
  request: AttributionRequest,
  now: Nanos,
  settings: Settings,
): ReadingScope {
  const { past, notYet } = fastWindow(request, now, settings.window);
  const epilog = asked.start !== null && asked.end !== null ? { from: asked.start, to: asked.end } : null;
  return {
    windows: [past],
    epilogWindow: phase === 'slow' ? epilog : null,
    notYet,
    only: null,
    everything: false,
    moment: momentOf(asked),
  };
}
