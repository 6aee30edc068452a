import type { AttributionRequest, AttributionResponse } from '../contract/index.ts';
import type { Evidence, Finding, Outcome } from '../core/outcome.ts';
import type { Nanos } from '../core/time.ts';
import { redactCoverage } from './redact-coverage.ts';

export interface ResponseSettings {
  /** Most `unattributed_targets`; 0 empties the member. */
  readonly maxUnattributed: number;
  /** Whether answers also carry coverage, which is no member of the published model. */
  readonly coverage?: boolean;
}

/** What an answer is made of besides the outcome. */
export interface ResponseParts {
  readonly serviceId: string;
  readonly serviceVersion: string;
  readonly requestId: string;
  readonly sessionId: string | null;
  readonly settings: ResponseSettings;
  /** Applied to every text that was read somewhere. */
  readonly redact: (text: string) => string;
}

/** No answer of ours lists more, whatever the setting. */
const mostUnattributed = 64;

/** The outcome as the caller gets it: redacted, every finding dated. */
export function respond(
  outcome: Outcome,
  request: AttributionRequest,
  parts: ResponseParts,
): AttributionResponse {
  const { settings, redact } = parts;
  const shown = Math.max(0, Math.min(settings.maxUnattributed, mostUnattributed));
  return {
    serviceId: parts.serviceId,
    serviceVersion: parts.serviceVersion,
    requestId: parts.requestId,
    attributionSessionId: parts.sessionId,
    attributions: outcome.findings.map(finding => {
      const dated = dateFinding(finding, request);
      return {
        target: finding.target,
        category: finding.category,
        observedAt: dated.observedAt,
        evidence: dated.evidence.map(item => redactEvidence(item, redact)),
        confidence: finding.confidence,
      };
    }),
    unattributedTargets: outcome.unattributed.slice(0, shown),
    error:
      outcome.problem === null
        ? null
        : { type: outcome.problem.type, message: redact(outcome.problem.message) },
    ...(settings.coverage === true
      ? { coverage: outcome.coverage.map(entry => redactCoverage(entry, redact)) }
      : {}),
  };
}

/** `observed_at` is the evidence's time, else the job's end, else the detection; a fallback is said to be one. */
function dateFinding(
  finding: Finding,
  request: AttributionRequest,
): { readonly observedAt: Nanos; readonly evidence: readonly Evidence[] } {
  const { evidence } = finding;
  const observedAt = finding.observedAt ?? earliest(evidence);
  if (observedAt !== null) return { observedAt, evidence };
  const { jobEndTime } = request.workloadContext;
  return {
    observedAt: jobEndTime ?? request.failureContext.detectedAt,
    evidence: [...evidence, fallbackNote(jobEndTime === null ? 'detected_at' : 'job_end_time')],
  };
}

function earliest(evidence: readonly Evidence[]): Nanos | null {
  return evidence
    .map(item => item.observedAt)
    .filter(nanos => nanos !== null)
    .reduce<Nanos | null>((least, nanos) => (least === null || nanos < least ? nanos : least), null);
}

function fallbackNote(member: string): Evidence {
  return {
    kind: 'note',
    source: 'adapter',
    observedAt: null,
    node: null,
    message: `observed_at is a fallback: no evidence of this finding carries a time, so ${member} stands in for it`,
    reference: null,
  };
}

/** A path stays as it is, so that the line can be opened again; a query may carry what a message may. */
function redactEvidence(item: Evidence, redact: (text: string) => string): Evidence {
  const { reference } = item;
  return {
    ...item,
    message: redact(item.message),
    reference: reference?.kind === 'query' ? { ...reference, query: redact(reference.query) } : reference,
  };
}
