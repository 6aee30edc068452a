import { readResponse } from '../src/contract/read-response.ts';
import { renderRequest } from '../src/contract/render-request.ts';
import type { AttributionRequest } from '../src/contract/vocabulary.ts';
import { startDeadline } from './deadline.ts';
import { readBody } from './read-body.ts';
import { refusalText } from './refusal-text.ts';
import { type AttributionResult, offResult, resultOf, unanswered } from './result.ts';

/** The fetch of the platform, or one that behaves like it. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Off: no adapter runs, no call is made, every result is empty and from nobody. */
export type ClientOptions =
  | { readonly mode: 'off' }
  | {
      readonly mode: 'on';
      /** Base address of the adapter, such as `http://127.0.0.1:8000`. */
      readonly url: string;
      /** How much longer than the request's `timeoutMs` a call may take, in milliseconds; 1000 unless told otherwise. */
      readonly graceMs?: number;
      readonly send?: Send;
    };

export interface CallOptions {
  /** W3C trace context to hand on; a malformed one is left out. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Ends the call when the caller gives up. */
  readonly signal?: AbortSignal;
}

export interface AttributionClient {
  /**
   * Asks about one phase of one failure. Never rejects: whatever goes wrong is in the result, at the latest when
   * `timeoutMs` and the grace are spent, so that recovery goes on.
   */
  attribute(request: AttributionRequest, options?: CallOptions): Promise<AttributionResult>;
}

const defaultGraceMs = 1_000;
/** No answer of an adapter is longer. */
const mostBytes = 16 * 1024 * 1024;

/** Throws a TypeError where the address is none of HTTP. */
export function createAttributionClient(options: ClientOptions): AttributionClient {
  if (options.mode === 'off') return { attribute: async () => offResult };
  const { graceMs = defaultGraceMs, send = fetch } = options;
  const url = routeUrl(options.url);
  return {
    async attribute(request, call = {}) {
      const deadline = startDeadline(request.timeoutMs + graceMs, call.signal);
      try {
        return await deadline.within(ask(send, url, request, call, deadline.signal));
      } catch {
        const endedBy = deadline.endedBy();
        if (endedBy === 'aborted') return unanswered('aborted', 'the caller gave up');
        if (endedBy === null) return unanswered('unreachable', `no adapter answers at ${url}`);
        return unanswered('call_timeout', `no answer within ${request.timeoutMs} + ${graceMs} ms`);
      } finally {
        deadline.end();
      }
    },
  };
}

function routeUrl(base: string): string {
  const parsed = URL.canParse(base) ? new URL(base) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new TypeError('url: give the address of the adapter, such as http://127.0.0.1:8000');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url: an address has no user, query or fragment');
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}/v1/attribution`;
}

/** Rejects where nothing answers or `signal` aborts. */
async function ask(
  send: Send,
  url: string,
  request: AttributionRequest,
  call: CallOptions,
  signal: AbortSignal,
): Promise<AttributionResult> {
  const response = await send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...traceHeaders(call) },
    body: renderRequest(request),
    redirect: 'manual',
    signal,
  });
  const { status } = response;
  const body = await readBody(response.body, mostBytes);
  if (status === 422 || status === 400) return unanswered('request_refused', refusalText(body ?? ''), status);
  if (status !== 200) return unanswered('unexpected_status', `the adapter answered ${status}`, status);
  const answer = body === null ? null : readResponse(body);
  return answer === null
    ? unanswered('unreadable_answer', 'what answered is not an adapter of this contract')
    : resultOf(answer);
}

function traceHeaders({ traceparent, tracestate }: CallOptions): Record<string, string> {
  if (traceparent === undefined || !isTraceparent(traceparent)) return {};
  if (tracestate === undefined || !/^[\x20-\x7e]{1,512}$/.test(tracestate)) return { traceparent };
  return { traceparent, tracestate };
}

function isTraceparent(text: string): boolean {
  return text.length <= 128 && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}
