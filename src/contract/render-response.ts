import type { SourceCoverage } from './coverage.ts';
import { coverageToWire } from './coverage-wire.ts';
import { datetimeToWire } from './datetime-wire.ts';
import { writeJson } from './json/write.ts';
import type { EpochNanos, ErrorCategory, ErrorType } from './vocabulary.ts';
import { schemaVersion } from './vocabulary.ts';

export type ResponseTarget =
  | { readonly type: 'Node'; readonly node: string }
  | { readonly type: 'AllJobResources' };

/** Where a citation can be opened again. */
export type ResponseReference =
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'query'; readonly query: string; readonly stamp: string };

export interface ResponseEvidence {
  readonly kind: string;
  readonly source: string;
  readonly observedAt: EpochNanos | null;
  readonly node: string | null;
  readonly message: string;
  readonly reference: ResponseReference | null;
}

export interface ResponseFinding {
  readonly target: ResponseTarget;
  readonly category: ErrorCategory;
  readonly observedAt: EpochNanos;
  /** 0..1, or null where it is not calibrated. */
  readonly confidence: number | null;
  readonly evidence: readonly ResponseEvidence[];
}

/** An answer as the rest of the program makes it. */
export interface AttributionResponse {
  readonly serviceId: string;
  readonly serviceVersion: string;
  readonly requestId: string;
  readonly attributionSessionId: string | null;
  readonly attributions: readonly ResponseFinding[];
  readonly unattributedTargets: readonly ResponseTarget[];
  readonly error: { readonly type: ErrorType; readonly message: string } | null;
  /** What each source proved, where the operator wants it in answers; no part of the OpenAPI document. */
  readonly coverage?: readonly SourceCoverage[];
}

export interface RenderOptions {
  /** Other words for categories, where the caller wants its own. */
  readonly categories?: Readonly<Partial<Record<ErrorCategory, string>>>;
}

/**
 * The body of an answer: compact JSON with every member written, nulls and empty lists included, as FastAPI does. An
 * answer goes to its caller and into the audit: it is written once.
 */
export function renderResponse(response: AttributionResponse, { categories }: RenderOptions = {}): string {
  const known = written.get(response);
  if (known !== undefined && known.categories === categories) return known.text;
  const text = writeResponse(response, categories ?? {});
  written.set(response, { categories, text });
  return text;
}

const written = new WeakMap<
  AttributionResponse,
  { readonly categories: RenderOptions['categories']; readonly text: string }
>();

type Words = NonNullable<RenderOptions['categories']>;

function writeResponse(response: AttributionResponse, categories: Words): string {
  const { error, coverage } = response;
  const head = {
    schema_version: schemaVersion,
    service_id: response.serviceId,
    service_version: response.serviceVersion,
    request_id: response.requestId,
    attribution_session_id: response.attributionSessionId,
  };
  const findings = response.attributions.map(finding => writeFinding(finding, categories)).join(',');
  const tail = {
    unattributed_targets: response.unattributedTargets.map(targetToWire),
    error: error === null ? null : { type: error.type, message: error.message },
    ...(coverage === undefined ? {} : { coverage: coverage.map(coverageToWire) }),
  };
  return `${open(head)},"attributions":[${findings}],${JSON.stringify(tail).slice(1)}`;
}

/** An object without its closing brace, so that members can follow. */
function open(object: object): string {
  return JSON.stringify(object).slice(0, -1);
}

/** A reference as one string: `path:line`, or `query @ stamp`. */
export function referenceToWire(reference: ResponseReference): string {
  return reference.kind === 'file'
    ? `${reference.path}:${reference.line}`
    : `${reference.query} @ ${reference.stamp}`;
}

function writeFinding(finding: ResponseFinding, categories: Words): string {
  const head = {
    target: targetToWire(finding.target),
    error_category: categories[finding.category] ?? finding.category,
    observed_at: datetimeToWire(finding.observedAt),
  };
  const evidence = JSON.stringify(finding.evidence.map(evidenceToWire));
  return `${open(head)},"confidence":${writeJson(finding.confidence)},"evidence":${evidence}}`;
}

function evidenceToWire(evidence: ResponseEvidence): object {
  return {
    kind: evidence.kind,
    source: evidence.source,
    observed_at: evidence.observedAt === null ? null : datetimeToWire(evidence.observedAt),
    node: evidence.node,
    message: evidence.message,
    reference: evidence.reference === null ? null : referenceToWire(evidence.reference),
  };
}

function targetToWire(target: ResponseTarget): object {
  return target.type === 'Node' ? { type: target.type, node: target.node } : { type: target.type };
}
