import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { AttributionRequest, Phase } from '../contract/index.ts';
import { latest, type Nanos, second } from '../core/time.ts';
import type { ReadingScope } from '../providers/rules/reading-scope.ts';
import { fastWindow } from '../providers/rules/windows.ts';
import type { AnalyzeRequest } from './analyze-options.ts';
import type { AskedWindows } from './asked-windows.ts';

/** What is asked of the sources, and what they are to read for it. */
export interface AnalyzeScope {
  readonly request: AttributionRequest;
  readonly scope: ReadingScope;
  /** Where the present cuts what is read short; null where nothing is asked for by time. */
  readonly asked: AskedWindows | null;
}

/** What logs on disk are read for: everything, unless a phase is given. */
export function scopeOfPaths(
  paths: readonly string[],
  asked: AnalyzeRequest,
  now: Nanos,
  settings: Settings,
): AnalyzeScope {
  const request = requestOf(asked, lastChange(paths) ?? now);
  return { request, scope: scopeOf(asked, request, now, settings), asked: null };
}

/**
 * Without an end the latest thing seen is the moment; the request then only carries what was given. Where nothing is
 * dated at all it is the last change of the files: the present would date each run otherwise.
 */
function requestOf(asked: AnalyzeRequest, lastResort: Nanos): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: asked.job ?? '',
    scope: { nodes: asked.nodes, ranks: [], startTime: asked.start, endTime: asked.end },
    failureContext: { detectedAt: momentOf(asked) ?? lastResort, detectionSignal: 'crash' },
    timeoutMs: Number.MAX_SAFE_INTEGER,
    workloadContext: { workflowId: 'analyze', attemptIndex: 0, jobEndTime: null },
    phase: asked.phase ?? 'fast',
    continueSession: null,
    userId: '',
  };
}

/** Of the paths that are given and what lies in them. */
function lastChange(paths: readonly string[]): Nanos | null {
  const inside = paths.flatMap(path => [path, ...entriesOf(path)]);
  const times = inside.flatMap(changeOf);
  return times.length === 0 ? null : latest(times);
}

/** A link that leads nowhere, or round in circles, tells nothing. */
function changeOf(path: string): readonly Nanos[] {
  try {
    return [statSync(path, { bigint: true }).mtimeNs];
  } catch {
    return [];
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path).map(name => join(path, name));
  } catch {
    // A file, or a folder that may not be listed: what is read of it is told in coverage.
    return [];
  }
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
