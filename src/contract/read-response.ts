import { datetimeFromWire } from './datetime-wire.ts';
import type { Plain } from './plain.ts';
import { isPlain, member, text } from './plain.ts';
import type { ResponseTarget } from './render-response.ts';
import { type EpochNanos, type ErrorType, errorTypes } from './vocabulary.ts';

/** An answer as its reader gets it; categories may be an operator's own words. */
export interface ReadResponse {
  readonly serviceId: string;
  readonly serviceVersion: string;
  readonly requestId: string;
  readonly attributionSessionId: string | null;
  readonly attributions: readonly ReadFinding[];
  readonly unattributedTargets: readonly ResponseTarget[];
  readonly error: { readonly type: ErrorType; readonly message: string } | null;
}

export interface ReadFinding {
  readonly target: ResponseTarget;
  readonly category: string;
  readonly observedAt: EpochNanos;
  readonly confidence: number | null;
  readonly evidence: readonly ReadEvidence[];
}

export interface ReadEvidence {
  readonly kind: string;
  readonly source: string;
  readonly observedAt: EpochNanos | null;
  readonly node: string | null;
  readonly message: string;
  readonly reference: string | null;
}

/**
 * Reads the body of an answer; null where it is none. Unknown members are ignored, those with a default may be absent.
 */
export function readResponse(body: string): ReadResponse | null {
  const answer = parsePlain(body);
  if (answer === null) return null;
  return whole<ReadResponse>({
    serviceId: text(member(answer, 'service_id')) ?? undefined,
    serviceVersion: text(member(answer, 'service_version')) ?? undefined,
    requestId: text(member(answer, 'request_id')) ?? undefined,
    attributionSessionId: optional(member(answer, 'attribution_session_id'), text),
    attributions: each(member(answer, 'attributions'), readFinding),
    unattributedTargets: each(member(answer, 'unattributed_targets'), readTarget),
    error: optional(member(answer, 'error'), readError),
  });
}

function parsePlain(body: string): Plain | null {
  try {
    const value: unknown = JSON.parse(body);
    return isPlain(value) ? value : null;
  } catch {
    return null;
  }
}

function readFinding(item: unknown): ReadFinding | null {
  if (!isPlain(item)) return null;
  return whole<ReadFinding>({
    target: readTarget(member(item, 'target')) ?? undefined,
    category: text(member(item, 'error_category')) ?? undefined,
    observedAt: readTime(member(item, 'observed_at')) ?? undefined,
    confidence: optional(member(item, 'confidence'), readShare),
    evidence: each(member(item, 'evidence'), readEvidence),
  });
}

function readEvidence(item: unknown): ReadEvidence | null {
  if (!isPlain(item)) return null;
  return whole<ReadEvidence>({
    kind: text(member(item, 'kind')) ?? undefined,
    source: text(member(item, 'source')) ?? undefined,
    observedAt: optional(member(item, 'observed_at'), readTime),
    node: optional(member(item, 'node'), text),
    message: text(member(item, 'message')) ?? undefined,
    reference: optional(member(item, 'reference'), text),
  });
}

function readTarget(item: unknown): ResponseTarget | null {
  if (!isPlain(item)) return null;
  const type = member(item, 'type');
  if (type === 'AllJobResources') return { type };
  const node = text(member(item, 'node'));
  return type === 'Node' && node !== null ? { type, node } : null;
}

function readError(item: unknown): ReadResponse['error'] {
  if (!isPlain(item)) return null;
  const type = errorTypes.find(known => known === member(item, 'type'));
  return type === undefined ? null : { type, message: text(member(item, 'message')) ?? '' };
}

function readShare(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null;
}

function readTime(value: unknown): EpochNanos | null {
  const given = text(value);
  return given === null ? null : datetimeFromWire(given);
}

/** Null for an absent or null member, undefined for one that is there and wrong. */
function optional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
  return value === undefined || value === null ? null : (read(value) ?? undefined);
}

/** Every item of a list, undefined if one of them is wrong; an absent list is empty. */
function each<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read);
  return items.every(item => item !== null) ? items : undefined;
}

/** The object if each of its members could be read, else null. */
function whole<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T | null {
  return Object.values(members).includes(undefined) ? null : (members as T);
}
