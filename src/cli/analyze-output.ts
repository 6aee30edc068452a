import { randomUUID } from 'node:crypto';
import { respond } from '../adapter/respond.ts';
import { serviceVersion } from '../app/service-version.ts';
import type { Settings } from '../config/settings.ts';
import {
  type AttributionRequest,
  type AttributionResponse,
  coverageToWire,
  datetimeToWire,
  explanationToWire,
  readResponse,
  renderResponse,
  type WireExplanation,
} from '../contract/index.ts';
import type { Attribution } from '../providers/rules/attribute.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';
import type { AnalyzeRequest } from './analyze-options.ts';
import type { GlobalOptions } from './command.ts';
import { explanationText } from './explanation-text.ts';
import { consequencesText, coverageText, lateRanksText } from './reading-text.ts';
import { styleFor } from './terminal.ts';
import { fromFolder, verdictText } from './verdict-text.ts';

/** What `analyze` found, and what an answer says besides it. */
export interface Analysis {
  readonly attribution: Attribution;
  readonly request: AttributionRequest;
  readonly settings: Settings;
  readonly packageVersion: string;
  readonly corpusHash: string;
}

/** The answer as a person or as a program reads it. */
export function analysisText(
  analysis: Analysis,
  { output, explain }: Pick<AnalyzeRequest, 'output' | 'explain'>,
  globals: GlobalOptions,
): string {
  const { attribution, settings, corpusHash } = analysis;
  const response = responseOf(analysis);
  const explanation = explain
    ? explanationOf(attribution, corpusHash, createRedactor(settings.redaction))
    : null;
  return output === 'json'
    ? `${jsonText(response, attribution, explanation, settings)}\n`
    : tableText(response, attribution, explanation, globals);
}

function responseOf({
  attribution,
  request,
  settings,
  packageVersion: version,
  corpusHash,
}: Analysis): AttributionResponse {
  return respond(attribution.outcome, datedRequest(request, attribution), {
    serviceId: 'attribution-adapter',
    serviceVersion: serviceVersion(version, corpusHash),
    requestId: randomUUID(),
    sessionId: null,
    settings: { maxUnattributed: settings.reasoning.maxUnattributed },
    redact: createRedactor(settings.redaction),
  });
}

/** What the evidence tells of the job's end dates findings without a time: the present would date each run otherwise. */
function datedRequest(request: AttributionRequest, { facts, moment }: Attribution): AttributionRequest {
  return {
    ...request,
    workloadContext: { ...request.workloadContext, jobEndTime: facts.jobEnd },
    failureContext: { ...request.failureContext, detectedAt: moment },
  };
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
    lateRanksText(attribution.symptoms),
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
