import type { ReadEvidence, ReadFinding, ReadResponse } from '../src/contract/read-response.ts';
import type { ResponseTarget } from '../src/contract/render-response.ts';
import type { ErrorType } from '../src/contract/vocabulary.ts';

export type Target = ResponseTarget;
export type Citation = ReadEvidence;
/** A finding: what is at fault, of which kind, since when, and the lines that say so. */
export type Found = ReadFinding;

/**
 * The answer to one question. `error` decides what else there is: only where it is null does the result have
 * `attributions`, so the type makes a caller look at it first. An empty list, a missing confidence or an error says of
 * no node that it is good or bad.
 */
export type AttributionResult = Answered | Unanswered;

/** The provider looked, or the client is off; which of the two, `answeredBy` tells. */
export interface Answered {
  readonly error: null;
  /** Who looked. Null where the client is off: then nobody did, and the empty lists are no diagnosis. */
  readonly answeredBy: ServiceIdentity | null;
  readonly attributions: readonly Found[];
  readonly unattributedTargets: readonly Target[];
  /** To be sent as `continueSession` of the slow request. */
  readonly attributionSessionId: string | null;
}

/** No answer, or one that says itself that it is incomplete. */
export interface Unanswered {
  readonly error: CallError;
  /** Null where no adapter answered in the form of the contract. */
  readonly answeredBy: ServiceIdentity | null;
  /** What was found in spite of the error. */
  readonly believed: Believed;
  readonly attributionSessionId: string | null;
}

export interface Believed {
  readonly attributions: readonly Found[];
  readonly unattributedTargets: readonly Target[];
}

export interface ServiceIdentity {
  readonly serviceId: string;
  readonly serviceVersion: string;
  readonly requestId: string;
}

/**
 * The adapter's own types of error, and what can go wrong on the way to it: nothing answers (`unreachable`), the
 * client's deadline passed (`call_timeout`), the caller gave up (`aborted`), the request has a wrong shape
 * (`request_refused`), another status came (`unexpected_status`), or what came is no answer (`unreadable_answer`).
 */
export type CallErrorType =
  | ErrorType
  | 'unreachable'
  | 'call_timeout'
  | 'aborted'
  | 'request_refused'
  | 'unexpected_status'
  | 'unreadable_answer';

export interface CallError {
  readonly type: CallErrorType;
  /** One sentence for people. */
  readonly message: string;
  /** The status, where the adapter answered with another one than 200. */
  readonly status: number | null;
}

/** What the mode "off" says: a normal result with nothing in it, from nobody. */
export const offResult: Answered = {
  error: null,
  answeredBy: null,
  attributions: [],
  unattributedTargets: [],
  attributionSessionId: null,
};

const nothing: Believed = { attributions: [], unattributedTargets: [] };

export function unanswered(type: CallErrorType, message: string, status: number | null = null): Unanswered {
  return { error: { type, message, status }, answeredBy: null, believed: nothing, attributionSessionId: null };
}

export function resultOf(response: ReadResponse): AttributionResult {
  const { attributions, unattributedTargets, attributionSessionId, error } = response;
  const { serviceId, serviceVersion, requestId } = response;
  const answeredBy = { serviceId, serviceVersion, requestId };
  if (error === null) return { error, answeredBy, attributions, unattributedTargets, attributionSessionId };
  return {
    error: { ...error, status: null },
    answeredBy,
    believed: { attributions, unattributedTargets },
    attributionSessionId,
  };
}
