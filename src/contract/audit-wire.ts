import type { SourceCoverage } from './coverage.ts';
import { coverageToWire, type WireCoverage } from './coverage-wire.ts';
import { datetimeToWire } from './datetime-wire.ts';
import { isPlain, list, member, number, text } from './plain.ts';
import { type ReadResponse, readResponse } from './read-response.ts';
import { type AttributionResponse, type RenderOptions, renderResponse } from './render-response.ts';
import type { EpochNanos, Phase } from './vocabulary.ts';

/** Symptoms of one kind that were taken for the same. */
export interface ExplainedKind {
  /** Id of the rule; null in answers that were kept before it was. */
  readonly rule: string | null;
  readonly title: string;
  readonly code: string | null;
  /** initiating, cascade, teardown, context or unknown. */
  readonly role: string;
  /** What the rule says it is: root, victim and so on. */
  readonly kind: string;
  readonly reason: string | null;
  readonly count: number;
  /** Some of the nodes; `nodeCount` says how many there are. */
  readonly nodes: readonly string[];
  readonly nodeCount: number;
}

/** An answer with what it was made from, as it is kept. Hashes are SHA-256 in hex. */
export interface AuditedAnswer {
  readonly at: EpochNanos;
  /** Whether the caller got an empty answer instead. */
  readonly shadow: boolean;
  readonly phase: Phase;
  readonly workloadId: string;
  readonly workflowId: string;
  readonly attemptIndex: number;
  /** `attributed`, `nothing_found`, or the type of the error. */
  readonly result: string;
  readonly provider: string;
  readonly corpusHash: string | null;
  readonly requestHash: string;
  /** Of what was read and recognised: the same for the same evidence. Null where nothing was. */
  readonly evidenceHash: string | null;
  readonly coverageHash: string;
  readonly response: AttributionResponse;
  readonly coverage: readonly SourceCoverage[];
  readonly explained: readonly ExplainedKind[];
}

/** The document that is kept; no part of the OpenAPI document. */
export function renderAuditedAnswer(audited: AuditedAnswer, options: RenderOptions): string {
  const about = JSON.stringify({
    request_id: audited.response.requestId,
    answered_at: datetimeToWire(audited.at),
    shadow: audited.shadow,
    phase: audited.phase,
    workload_id: audited.workloadId,
    workflow_id: audited.workflowId,
    attempt_index: audited.attemptIndex,
    result: audited.result,
    provider: audited.provider,
    service_version: audited.response.serviceVersion,
    corpus_sha256: audited.corpusHash,
    request_sha256: audited.requestHash,
    evidence_sha256: audited.evidenceHash,
    coverage_sha256: audited.coverageHash,
    coverage: audited.coverage.map(coverageToWire),
    explained: audited.explained.map(({ nodeCount, ...kind }) => ({ ...kind, node_count: nodeCount })),
  });
  return `${about.slice(0, -1)},"answer":${renderResponse(audited.response, options)}}`;
}

/** A kept answer as its reader gets it. */
export interface ReadAudited {
  /** Name and value of what is told about it, in the order of the document. */
  readonly about: readonly (readonly [string, string])[];
  /** Whether the caller got an empty answer instead. */
  readonly shadow: boolean;
  readonly answer: ReadResponse;
  readonly coverage: readonly WireCoverage[];
  readonly explained: readonly ExplainedKind[];
}

/** Reads what `renderAuditedAnswer` wrote; null where it is something else. */
export function readAuditedAnswer(document: string): ReadAudited | null {
  const kept: unknown = JSON.parse(document);
  if (!isPlain(kept)) return null;
  const answer = readResponse(JSON.stringify(member(kept, 'answer') ?? null));
  if (answer === null) return null;
  return {
    about: Object.entries(kept).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
    ),
    shadow: member(kept, 'shadow') === true,
    answer,
    coverage: list(member(kept, 'coverage')) as readonly WireCoverage[],
    explained: list(member(kept, 'explained')).filter(isPlain).map(explainedOf),
  };
}

function explainedOf(kind: Readonly<Record<string, unknown>>): ExplainedKind {
  return {
    rule: text(member(kind, 'rule')),
    title: text(member(kind, 'title')) ?? '',
    code: text(member(kind, 'code')),
    role: text(member(kind, 'role')) ?? '',
    kind: text(member(kind, 'kind')) ?? '',
    reason: text(member(kind, 'reason')),
    count: number(member(kind, 'count')) ?? 0,
    nodes: list(member(kind, 'nodes')).filter(node => typeof node === 'string'),
    nodeCount: number(member(kind, 'node_count')) ?? 0,
  };
}
