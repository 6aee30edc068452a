import type { SourceCoverage } from '../coverage.ts';
import { coverageToWire } from '../coverage-wire.ts';
import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { isPlain, list, member, type Plain, plain, text } from '../plain.ts';
import { type ResponseEvidence, type ResponseTarget, referenceToWire } from '../render-response.ts';
import { type EpochNanos, type ErrorType, errorTypes } from '../vocabulary.ts';
import { saysFailure } from './told-failure.ts';

/** A finding as the dialect's answer carries it. */
export interface AttributedFinding {
  readonly target: ResponseTarget;
  readonly category: string;
  readonly observedAt: EpochNanos;
  readonly confidence: number | null;
  readonly evidence: readonly ResponseEvidence[];
}

export interface AttributionAnswer {
  readonly attributorId: string;
  readonly findings: readonly AttributedFinding[];
  readonly unattributed: readonly ResponseTarget[];
  readonly coverage: readonly SourceCoverage[];
  readonly error: { readonly type: ErrorType; readonly message: string } | null;
}

/**
 * The body of an attribution: an item `NodeAttribution` a node at fault, whose inner list is never empty, and one
 * `JobAttribution` where the job as a whole is. Clients of the dialect read type, node and whether the inner list
 * is empty; everything else is ours.
 */
export function renderAttribution(answer: AttributionAnswer): string {
  const { attributorId, findings, unattributed, coverage, error } = answer;
  const byTarget = Map.groupBy(findings, ({ target }) => (target.type === 'Node' ? target.node : null));
  return JSON.stringify({
    attributor_id: attributorId,
    attributions: [...byTarget].map(([node, found]) => ({
      ...(node === null ? { type: 'JobAttribution' } : { type: 'NodeAttribution', node }),
      attributions: found.map(findingToWire),
    })),
    unattributed_targets: unattributed,
    coverage: coverage.map(coverageToWire),
    error,
  });
}

function findingToWire({ category, observedAt, confidence, evidence }: AttributedFinding): object {
  return {
    error_category: category,
    observed_at: datetimeToWire(observedAt),
    confidence,
    evidence: evidence.map(item => ({
      kind: item.kind,
      source: item.source,
      observed_at: item.observedAt === null ? null : datetimeToWire(item.observedAt),
      node: item.node,
      message: item.message,
      reference: item.reference === null ? null : referenceToWire(item.reference),
    })),
  };
}

/** One entry of an inner list, read as far as it can be. */
export interface RemoteFinding {
  readonly category: string | null;
  readonly observedAt: EpochNanos | null;
  readonly confidence: number | null;
  readonly evidence: readonly RemoteEvidence[];
  /** The members that have no place of their own, as they came. */
  readonly rest: Plain;
}

export interface RemoteEvidence {
  readonly kind: string | null;
  readonly source: string | null;
  readonly observedAt: EpochNanos | null;
  readonly node: string | null;
  readonly message: string;
  readonly reference: string | null;
}

export interface RemoteAttribution {
  /** Null: the job as a whole. */
  readonly node: string | null;
  readonly findings: readonly RemoteFinding[];
}

export interface RemoteAnswer {
  /** Items that accuse: those with an empty inner list looked and found nothing. */
  readonly attributions: readonly RemoteAttribution[];
  /** Items of a type or shape that nobody knows, and those that name nobody and tell of a failure. */
  readonly skipped: number;
  readonly error: { readonly type: ErrorType; readonly message: string } | null;
}

/**
 * Reads an attribution; null where the body is none. A service that answers and says nothing that can be read has
 * failed: it did not find nothing.
 */
export function readAttribution(body: unknown): RemoteAnswer | null {
  if (!isPlain(body)) return null;
  const items = member(body, 'attributions');
  if (!Array.isArray(items)) return null;
  const attributions: RemoteAttribution[] = [];
  let skipped = 0;
  let failed = 0;
  for (const item of items) {
    const node = isPlain(item) ? targetOf(item) : undefined;
    const inner = member(plain(item), 'attributions') ?? [];
    if (node === undefined || !Array.isArray(inner)) skipped += 1;
    else if (inner.length > 0) attributions.push({ node, findings: inner.map(findingFromWire) });
    else if (tellsFailure(plain(item))) failed += 1;
  }
  const isUnreadable = skipped > 0 && skipped === items.length;
  const isFailed = attributions.length === 0 && (failed > 0 || tellsFailure(body));
  return {
    attributions,
    skipped: skipped + failed,
    error: errorOf(member(body, 'error')) ?? (isFailed ? untyped : isUnreadable ? unreadable : null),
  };
}

/** What servers write where something went wrong, beside an empty list or in place of one. */
const failureNames: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'error_message', 'error_code', 'detail', 'exception', 'failure', 'timed_out'],
]);
const statusNames: ReadonlySet<string> = new Set(['status', 'state', 'success', 'ok']);
/** Texts for people, which may as well say that all is well. */
const textNames: ReadonlySet<string> = new Set(['message', 'reason', 'msg']);
const goodStatuses: ReadonlySet<unknown> = new Set([
  ...['ok', 'success', 'successful', 'succeeded', 'complete', 'completed', 'done', 'finished', 'true', ''],
  ...[200, true, null],
]);
const codeNames: ReadonlySet<string> = new Set(['code', 'status_code']);
const goodCodes: ReadonlySet<unknown> = new Set([...goodStatuses, 0, '0', '200', 204, '204']);

/** Whether an object that names nobody says that it failed, or does not say that it succeeded where it speaks of that. */
function tellsFailure(fields: Plain): boolean {
  return Object.entries(fields).some(([name, value]) => {
    const said = name.toLowerCase();
    if (failureNames.has(said)) return !isNothing(value);
    if (textNames.has(said)) return typeof value === 'string' && saysFailure(value);
    if (codeNames.has(said)) return !goodCodes.has(typeof value === 'string' ? value.toLowerCase() : value);
    return statusNames.has(said) && !goodStatuses.has(typeof value === 'string' ? value.toLowerCase() : value);
  });
}

/** What servers write where there is no error. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isPlain(value) && Object.keys(value).length === 0;
}

const unreadable = {
  type: 'service_error',
  message: 'the FACT service answered with items of no known type or shape only',
} as const;

function targetOf(item: Plain): string | null | undefined {
  const type = member(item, 'type');
  if (type === 'JobAttribution') return null;
  const node = text(member(item, 'node'));
  return type === 'NodeAttribution' && node !== null && node !== '' ? node : undefined;
}

const known = new Set(['error_category', 'observed_at', 'confidence', 'evidence']);

function findingFromWire(item: unknown): RemoteFinding {
  const fields: Plain = isPlain(item) ? item : { value: item };
  const confidence = member(fields, 'confidence');
  return {
    category: text(member(fields, 'error_category')),
    observedAt: timeOf(fields),
    confidence: typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null,
    evidence: list(member(fields, 'evidence')).filter(isPlain).map(evidenceFromWire),
    rest: Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name))),
  };
}

function evidenceFromWire(item: Plain): RemoteEvidence {
  return {
    kind: text(member(item, 'kind')),
    source: text(member(item, 'source')),
    observedAt: timeOf(item),
    node: text(member(item, 'node')),
    message: text(member(item, 'message')) ?? JSON.stringify(item),
    reference: text(member(item, 'reference')),
  };
}

function timeOf(fields: Plain): EpochNanos | null {
  const given = text(member(fields, 'observed_at'));
  return given === null ? null : datetimeFromWire(given);
}

const untyped = {
  type: 'service_error',
  message: 'the FACT service answered with an error of no known type',
} as const;

/** Whatever stands there is an error, but for what servers write where there is none. Its text may quote anything and stays there. */
function errorOf(value: unknown): RemoteAnswer['error'] {
  if (value === undefined || value === null || value === false || value === '') return null;
  const fields = plain(value);
  const type = errorTypes.find(candidate => candidate === member(fields, 'type'));
  if (type === undefined) return untyped;
  return { type, message: text(member(fields, 'message')) || 'the FACT service gives no reason' };
}
