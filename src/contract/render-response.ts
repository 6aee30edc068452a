import type { SourceCoverage } from './coverage.ts';
import { coverageToWire } from './coverage-wire.ts';
import { datetimeToWire } from './datetime-wire.ts';
import type { Json } from './json/value.ts';
import { jsonObject } from './json/value.ts';
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

/** The body of an answer: compact JSON with every member written, nulls and empty lists included, as FastAPI does. */
export function renderResponse(response: AttributionResponse, options: RenderOptions = {}): string {
  const categories = options.categories ?? {};
  const body = writeJson(
    jsonObject({
      schema_version: schemaVersion,
      service_id: response.serviceId,
      service_version: response.serviceVersion,
      request_id: response.requestId,
      attribution_session_id: response.attributionSessionId,
      attributions: response.attributions.map(finding => findingToWire(finding, categories)),
      unattributed_targets: response.unattributedTargets.map(targetToWire),
      error:
        response.error === null
          ? null
          : jsonObject({ type: response.error.type, message: response.error.message }),
    }),
  );
  const { coverage } = response;
  return coverage === undefined
    ? body
    : `${body.slice(0, -1)},"coverage":${JSON.stringify(coverage.map(coverageToWire))}}`;
}

/** A reference as one string: `path:line`, or `query @ stamp`. */
export function referenceToWire(reference: ResponseReference): string {
  return reference.kind === 'file'
    ? `${reference.path}:${reference.line}`
    : `${reference.query} @ ${reference.stamp}`;
}

function findingToWire(
  finding: ResponseFinding,
  categories: Readonly<Partial<Record<ErrorCategory, string>>>,
): Json {
  return jsonObject({
    target: targetToWire(finding.target),
    error_category: categories[finding.category] ?? finding.category,
    observed_at: datetimeToWire(finding.observedAt),
    confidence: finding.confidence,
    evidence: finding.evidence.map(evidenceToWire),
  });
}

function evidenceToWire(evidence: ResponseEvidence): Json {
  return jsonObject({
    kind: evidence.kind,
    source: evidence.source,
    observed_at: evidence.observedAt === null ? null : datetimeToWire(evidence.observedAt),
    node: evidence.node,
    message: evidence.message,
    reference: evidence.reference === null ? null : referenceToWire(evidence.reference),
  });
}

function targetToWire(target: ResponseTarget): Json {
  return target.type === 'Node'
    ? jsonObject({ type: target.type, node: target.node })
    : jsonObject({ type: target.type });
}
