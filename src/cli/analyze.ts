import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { respond } from '../adapter/respond.ts';
import { openCorpus, openEngine, reasoningOver } from '../app/engine.ts';
import type { Surroundings } from '../app/surroundings.ts';
import type { Settings } from '../config/settings.ts';
import {
  type AttributionRequest,
  type AttributionResponse,
  coverageToWire,
  datetimeToWire,
  explanationToWire,
  type Phase,
  readResponse,
  renderResponse,
  type WireExplanation,
} from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { type Nanos, second } from '../core/time.ts';
import { createFilesSource } from '../evidence/files/files-source.ts';
import { commandLineFilesSettings } from '../evidence/files/settings.ts';
import { isZone } from '../lines/time-zones.ts';
import { type Attribution, attributeFailure } from '../providers/rules/attribute.ts';
import type { ReadingScope } from '../providers/rules/reading-scope.ts';
import { fastWindow } from '../providers/rules/windows.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { type AnalyzeOptions, type AnalyzeRequest, readAnalyzeOptions } from './analyze-options.ts';
import type { GlobalOptions } from './command.ts';
import { explanationText } from './explanation-text.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';
import { consequencesText, coverageText } from './reading-text.ts';
import { styleFor } from './terminal.ts';
import { fromFolder, verdictText } from './verdict-text.ts';

/** Names the faulty node from logs on disk: no configuration, no server. Infers nodes and times, and says what. */
export async function analyze(
  paths: readonly string[],
  options: AnalyzeOptions,
  globals: GlobalOptions,
): Promise<number> {
  const asked = readAnalyzeOptions(options);
  const missing = paths.find(path => !existsSync(path));
  if (missing !== undefined) throw new StartupError(`${missing} does not exist: give a folder or file of logs`);
  if (asked.timezone !== null && !isZone(asked.timezone)) {
    throw new StartupError(`--timezone ${asked.timezone}: no such zone; write one like Europe/Berlin or UTC`);
  }
  const { settings } = loadSettings(globals);
  const log = createLog({ level: 'warn' });
  const surroundings: Surroundings = { clock: systemClock, log, packageVersion: packageVersion() };
  const files = commandLineFilesSettings(
    paths.map(path => resolve(path)),
    asked.timezone,
  );
  const engine = openEngine(settings, await openCorpus(settings.rules));
  const source = createFilesSource(files, { ...surroundings, buffers: engine.buffers });
  const parts = reasoningOver(settings, engine, [source], surroundings);
  try {
    const now = systemClock.now();
    const request = requestOf(asked, now);
    const attribution = await attributeFailure(
      parts,
      request,
      scopeOf(asked, request, now, settings),
      nothingEarlier,
      {
        soft: new AbortController().signal,
        report: () => {},
        now,
      },
    );
    const response = responseOf(attribution, request, settings, surroundings, parts.pool.corpusHash);
    const explanation = asked.explain
      ? explanationOf(attribution, parts.pool.corpusHash, createRedactor(settings.redaction))
      : null;
    process.stdout.write(
      asked.output === 'json'
        ? `${jsonText(response, attribution, explanation, settings)}\n`
        : tableText(response, attribution, explanation, globals),
    );
    return 0;
  } finally {
    await engine.pool.close();
  }
}

const nothingEarlier = { symptoms: [], coverage: [] } as const;

/** Without an end the latest thing seen is the moment; the request then only carries what was given. */
function requestOf(asked: AnalyzeRequest, now: Nanos): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: asked.job ?? '',
    scope: { nodes: asked.nodes, ranks: [], startTime: asked.start, endTime: asked.end },
    failureContext: { detectedAt: asked.end ?? now, detectionSignal: 'crash' },
    timeoutMs: Number.MAX_SAFE_INTEGER,
    workloadContext: { workflowId: 'analyze', attemptIndex: 0, jobEndTime: null },
    phase: asked.phase ?? 'fast',
    continueSession: null,
    userId: '',
  };
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
      moment: asked.end,
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
    moment: asked.end,
  };
}

function responseOf(
  attribution: Attribution,
  request: AttributionRequest,
  settings: Settings,
  { packageVersion: version }: Surroundings,
  corpusHash: string,
): AttributionResponse {
  return respond(attribution.outcome, request, {
    serviceId: 'attribution-adapter',
    serviceVersion: `${version}+corpus.${corpusHash.slice(0, 12)}`,
    requestId: randomUUID(),
    sessionId: null,
    settings: { maxUnattributed: settings.reasoning.maxUnattributed },
    redact: createRedactor(settings.redaction),
  });
}

function explanationOf(attribution: Attribution, corpusHash: string, redact: Redactor): WireExplanation {
  const { symptoms } = attribution;
  return explanationToWire({ corpusHash, symptoms, changes: attribution.changes() }, redact);
}

function tableText(
  response: AttributionResponse,
  attribution: Attribution,
  explanation: WireExplanation | null,
  globals: GlobalOptions,
): string {
  const style = styleFor(process.stdout, globals.color, process.env);
  const { facts } = attribution;
  const inferred = [...facts.said, `the failure is placed at ${datetimeToWire(attribution.moment)}`];
  const read = readResponse(renderResponse(response));
  return [
    read === null ? '' : verdictText(read, style, process.cwd()),
    explanation === null ? consequencesText(attribution.symptoms) : explanationText(explanation, style),
    coverageText(attribution.outcome.coverage, style),
    ...inferred.map(sentence => `  said  ${fromFolder(sentence, process.cwd())}\n`),
  ].join('');
}

function jsonText(
  response: AttributionResponse,
  attribution: Attribution,
  explanation: WireExplanation | null,
  settings: Settings,
): string {
  const { facts, moment, outcome } = attribution;
  const body = renderResponse(response, { categories: settings.contract.categories });
  const inferred = {
    nodes: facts.nodes.map(node => node.name),
    moment: datetimeToWire(moment),
    said: facts.said,
  };
  const explained = explanation === null ? '' : `,"explanation":${JSON.stringify(explanation)}`;
  return `{"response":${body},"coverage":${JSON.stringify(outcome.coverage.map(coverageToWire))},"inferred":${JSON.stringify(inferred)}${explained}}`;
}
