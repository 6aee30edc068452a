import { join } from 'node:path';
import { checkout } from '../support/service.ts';

/** The example request of the API page. */
export const exampleRequest = {
  schema_version: '0.1.0',
  workload_id: '12345',
  scope: { nodes: ['worker-01'], ranks: [] },
  failure_context: { detected_at: '2026-09-09T12:00:00Z', detection_signal: 'application_error' },
  timeout_ms: 10_000,
  workload_context: { workflow_id: 'training-example', attempt_index: 0 },
  phase: 'fast',
} as const;

/** The recorded failure that the demo shows. */
export const caseFolder = join(checkout, 'cases/xid-79-while-peers-time-out');

/** The members of an answer, as they are on the wire. */
export interface WireAnswer {
  readonly schema_version: string;
  readonly service_id: string;
  readonly service_version: string;
  readonly request_id: string;
  readonly attribution_session_id: string | null;
  readonly attributions: readonly {
    readonly target: { readonly type: string; readonly node?: string };
    readonly error_category: string;
    readonly observed_at: string;
    readonly confidence: number | null;
    readonly evidence: readonly { readonly message: string; readonly reference: string | null }[];
  }[];
  readonly unattributed_targets: readonly unknown[];
  readonly error: { readonly type: string; readonly message: string } | null;
}

export interface Posted {
  readonly status: number;
  readonly body: WireAnswer;
  readonly text: string;
}

/** Posts a request body, an object or raw text, to the attribution route. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const response = await fetch(`${url}/v1/attribution`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}
