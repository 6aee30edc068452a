import { Buffer } from 'node:buffer';
import { type ParsedRequest, type ParseOptions, parseRequest } from '../../src/contract/index.ts';

/** A request that is right in every member; each test spoils what it is about. */
export const example = {
  schema_version: '0.1.0',
  workload_id: '4711',
  scope: { nodes: ['node-01', 'node-02'], ranks: [] },
  failure_context: { detected_at: '2026-03-02T10:04:11Z', detection_signal: 'application_error' },
  timeout_ms: 8000,
  workload_context: { workflow_id: 'run-17', attempt_index: 2 },
  phase: 'fast',
};

/** The example with one member set, deep down if the path says so: `scope.nodes`. */
export function withMember(path: string, value: unknown): object {
  return change(example, path.split('.'), value);
}

/** The example without one member. */
export function without(path: string): object {
  return change(example, path.split('.'), undefined);
}

function change(object: object, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) return object;
  const old = (object as Record<string, unknown>)[name];
  const member = rest.length === 0 ? value : change((old ?? {}) as object, rest, value);
  return JSON.parse(JSON.stringify({ ...object, [name]: member })) as object;
}

export const strict: ParseOptions = { naiveDatetimes: 'refuse', echoInput: true };

/** Parses a body given as text, bytes or a value to be written as JSON. */
export function parse(
  body: string | Uint8Array | object,
  contentType: string | undefined = 'application/json',
  options: ParseOptions = strict,
): ParsedRequest {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return parseRequest(bytes, contentType, options);
}

/** Status and body of a refused request, or status 200 and no body. */
export function answerTo(
  body: string | Uint8Array | object,
  contentType?: string,
  options?: ParseOptions,
): { readonly status: number; readonly body: string } {
  const parsed = parse(body, contentType, options);
  return parsed.ok ? { status: 200, body: '' } : { status: parsed.status, body: parsed.body };
}
