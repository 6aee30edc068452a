import { resolve } from 'node:path';
import { checkPaths } from '../app/check-paths.ts';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../app/engine.ts';
import { openSources } from '../app/sources.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { StartupError } from '../core/errors.ts';
import type { Source } from '../core/ports.ts';
import type { Nanos } from '../core/time.ts';
import { createFilesSource } from '../evidence/files/files-source.ts';
import { commandLineFilesSettings } from '../evidence/files/settings.ts';
import { isZone } from '../lines/time-zones.ts';
import { type Attribution, attributeFailure } from '../providers/rules/attribute.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { liveWanted, scopeOfLive } from './analyze-live.ts';
import { type AnalyzeOptions, type AnalyzeRequest, readAnalyzeOptions } from './analyze-options.ts';
import { analysisText } from './analyze-output.ts';
import { scopeOfPaths } from './analyze-scope.ts';
import { type AskedWindows, showAsked } from './asked-windows.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';

/**
 * Names the faulty node from logs on disk, without configuration or server, inferring nodes and times; or, where only a
 * job is given, from the configured sources.
 */
export async function analyze(
  paths: readonly string[],
  options: AnalyzeOptions,
  globals: GlobalOptions,
): Promise<number> {
  const asked = readAnalyzeOptions(options);
  checkPaths(paths);
  if (asked.timezone !== null && !isZone(asked.timezone)) {
    throw new StartupError(`--timezone ${asked.timezone}: no such zone; write one like Europe/Berlin or UTC`);
  }
  const { settings } = loadSettings(globals);
  const live = paths.length === 0;
  if (live) liveWanted(asked, settings);
  const log = createLog({ level: 'warn' });
  const surroundings: Surroundings = { clock: systemClock, log, packageVersion: packageVersion() };
  const engine = openEngine(settings, await openCorpus(settings.rules));
  const sources = live
    ? openSources(settings.sources, engine.buffers, surroundings)
    : [filesAt(paths, asked, engine, surroundings)];
  try {
    const now = systemClock.now();
    const {
      request,
      scope,
      asked: windows,
    } = live
      ? await scopeOfLive(sources, asked, now, settings, log)
      : scopeOfPaths(paths, asked, now, settings);
    const parts = reasoningOver(settings, engine, sources, surroundings);
    const context = { soft: new AbortController().signal, report: () => {}, now };
    const read = await attributeFailure(parts, request, scope, nothingEarlier, context);
    const attribution = windows === null ? read : withWindows(read, windows, now);
    const { corpusHash } = parts.pool;
    const analysis = { attribution, request, settings, packageVersion: packageVersion(), corpusHash };
    process.stdout.write(analysisText(analysis, asked, globals));
    return 0;
  } finally {
    await Promise.all(sources.map(source => source.close?.()));
    await engine.pool.close();
  }
}

function withWindows(read: Attribution, windows: AskedWindows, now: Nanos): Attribution {
  const coverage = showAsked(read.outcome.coverage, windows, now);
  return { ...read, outcome: { ...read.outcome, coverage } };
}

const nothingEarlier = { symptoms: [], coverage: [] } as const;

function filesAt(
  paths: readonly string[],
  { timezone }: AnalyzeRequest,
  { buffers }: Engine,
  surroundings: Surroundings,
): Source {
  const absolute = paths.map(path => resolve(path));
  return createFilesSource(commandLineFilesSettings(absolute, timezone), { ...surroundings, buffers });
}
