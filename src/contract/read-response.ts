import { datetimeFromWire } from './datetime-wire.ts';
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

/** Thrown inside, never out: the body is no answer of the contract. */
class Misread extends Error {}

/** Reads the body of an answer; null where it is none. Unknown members are ignored, defaulted ones may be absent. */
export function readResponse(body: string): ReadResponse | null {
  try {
    return responseOf(JSON.parse(body));
  } catch (error) {
    if (error instanceof Misread || error instanceof SyntaxError) return null;
    throw error;
  }
}

function responseOf(value: unknown): ReadResponse {
  const members = object(value);
  return {
    serviceId: text(members['service_id']),
    serviceVersion: text(members['service_version']),
    requestId: text(members['request_id']),
    attributionSessionId: optional(members['attribution_session_id'], text),
    attributions: list(members['attributions']).map(findingOf),
    unattributedTargets: list(members['unattributed_targets']).map(targetOf),
    error: optional(members['error'], errorOf),
  };
}

function findingOf(value: unknown): ReadFinding {
  const members = object(value);
  return {
    target: targetOf(members['target']),
    category: text(members['error_category']),
    observedAt: time(members['observed_at']),
    confidence: optional(members['confidence'], share),
    evidence: list(members['evidence']).map(evidenceOf),
  };
}

function evidenceOf(value: unknown): ReadEvidence {
  const members = object(value);
  return {
    kind: text(members['kind']),
    source: text(members['source']),
    observedAt: optional(members['observed_at'], time),
    node: optional(members['node'], text),
    message: text(members['message']),
    reference: optional(members['reference'], text),
  };
}

function targetOf(value: unknown): ResponseTarget {
  const members = object(value);
  if (members['type'] === 'AllJobResources') return { type: 'AllJobResources' };
  if (members['type'] === 'Node') return { type: 'Node', node: text(members['node']) };
  throw new Misread('target');
}

function errorOf(value: unknown): { readonly type: ErrorType; readonly message: string } {
  const members = object(value);
  const type = errorTypes.find(known => known === members['type']);
  if (type === undefined) throw new Misread('error');
  return { type, message: optional(members['message'], text) ?? '' };
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misread('object');
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Misread('list');
  return value;
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Misread('text');
  return value;
}

function share(value: unknown): number {
  if (typeof value !== 'number' || value < 0 || value > 1) throw new Misread('share');
  return value;
}

function time(value: unknown): EpochNanos {
  const instant = datetimeFromWire(text(value));
  if (instant === null) throw new Misread('time');
  return instant;
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === undefined || value === null ? null : read(value);
}
