import { isJsonContentType } from './content-type.ts';
import { bodyUnreadable } from './error-bodies.ts';
import { decodeJsonText, decodeLoosely } from './json/decode.ts';
import { parseJson } from './json/parse.ts';
import { parsePlainly } from './json/parse-plainly.ts';
import type { Json } from './json/value.ts';
import type { Datetime } from './pydantic/calendar.ts';
import { epochNanosOf } from './pydantic/calendar.ts';
import { compilePlain, undecided } from './pydantic/compile-plain.ts';
import type { NaiveDatetimes } from './pydantic/datetime.ts';
import { problems } from './pydantic/problem.ts';
import type { ShapeError } from './pydantic/shape-error.ts';
import { jsonError, renderShapeErrors } from './pydantic/shape-error.ts';
import type { Validated } from './pydantic/validated.ts';
import type { WalkRules } from './pydantic/walk.ts';
import { walk } from './pydantic/walk.ts';
import { canonicalMembers, requestModels, WorkloadAttributionRequest } from './request.ts';
import type { AttributionRequest, EpochNanos } from './vocabulary.ts';

export interface ParseOptions {
  /** What becomes of a datetime without offset. */
  readonly naiveDatetimes: NaiveDatetimes;
  /** Whether a 422 quotes the offending values, as FastAPI does. */
  readonly echoInput: boolean;
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: AttributionRequest }
  | { readonly ok: false; readonly status: 400 | 422; readonly body: string };

/**
 * Reads the body of `POST /v1/attribution` as FastAPI would, and says in its words what is wrong: 400 for bytes that
 * are no text (or JSON that Python would give up on), 422 for a wrong shape. `contentType` is the header's value;
 * without one the body is taken for JSON.
 */
export function parseRequest(
  body: Uint8Array,
  contentType: string | undefined,
  options: ParseOptions,
): ParsedRequest {
  const plain = readPlainly(body, contentType, options.naiveDatetimes);
  if (plain !== undecided) return { ok: true, request: toRequest(plain) };
  const read = readBody(body, contentType);
  if ('unreadable' in read) return { ok: false, status: 400, body: bodyUnreadable(read.unreadable) };
  if ('error' in read) return refuse([read.error], options);
  const walked = walk(WorkloadAttributionRequest, read.value, rules[options.naiveDatetimes]);
  return walked.ok ? { ok: true, request: toRequest(walked.value) } : refuse(walked.errors, options);
}

const rulesFor = (naiveDatetimes: NaiveDatetimes): WalkRules => ({
  models: requestModels,
  canonical: canonicalMembers,
  naiveDatetimes,
});
const rules = { refuse: rulesFor('refuse'), utc: rulesFor('utc') };
const plainly = {
  refuse: compilePlain(WorkloadAttributionRequest, rules.refuse),
  utc: compilePlain(WorkloadAttributionRequest, rules.utc),
};

/** What almost every body is: well-formed and in need of no coercion. Whatever else it is, it is read again in full. */
function readPlainly(
  body: Uint8Array,
  contentType: string | undefined,
  naiveDatetimes: NaiveDatetimes,
): Validated<typeof WorkloadAttributionRequest> | typeof undecided {
  if (!isJsonContentType(contentType)) return undecided;
  const text = decodeJsonText(body);
  return text === null ? undecided : plainly[naiveDatetimes](parsePlainly(text));
}

function refuse(errors: readonly ShapeError[], { echoInput }: ParseOptions): ParsedRequest {
  return { ok: false, status: 422, body: renderShapeErrors(errors, echoInput) };
}

type BodyReading =
  | { readonly value: Json }
  | { readonly error: ShapeError }
  | { readonly unreadable: string | null };

function readBody(body: Uint8Array, contentType: string | undefined): BodyReading {
  if (body.length === 0) return { error: missingBody };
  if (!isJsonContentType(contentType)) return { value: decodeLoosely(body) };
  const text = decodeJsonText(body);
  if (text === null) return { unreadable: null };
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value === null ? { error: missingBody } : parsed;
  const { kind, message, at } = parsed.failure;
  return kind === 'limit' ? { unreadable: message } : { error: jsonError(message, at) };
}

const missingBody: ShapeError = { loc: ['body'], problem: problems.missing, input: null };

function toRequest(read: Validated<typeof WorkloadAttributionRequest>): AttributionRequest {
  const { scope, failure_context: failure, workload_context: context } = read;
  return {
    schemaVersion: read.schema_version,
    workloadId: read.workload_id,
    scope: {
      nodes: distinct(scope.nodes.filter(node => node !== '')),
      ranks: distinct(scope.ranks.map(toSafeNumber)),
      startTime: toNanos(scope.start_time),
      endTime: toNanos(scope.end_time),
    },
    failureContext: {
      detectedAt: epochNanosOf(failure.detected_at),
      detectionSignal: failure.detection_signal,
    },
    timeoutMs: toSafeNumber(read.timeout_ms),
    workloadContext: {
      workflowId: context.workflow_id,
      attemptIndex: toSafeNumber(context.attempt_index),
      jobEndTime: toNanos(context.job_end_time),
    },
    phase: read.phase,
    continueSession: read.continue_session,
    userId: read.user_id,
  };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return values.length < 2 ? values : [...new Set(values)];
}

function toNanos(datetime: Datetime | null): EpochNanos | null {
  return datetime === null ? null : epochNanosOf(datetime);
}

/** Integers of the wire have no bounds; beyond what a number holds exactly they are clamped. */
function toSafeNumber(value: bigint): number {
  return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
