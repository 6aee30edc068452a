import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AttributionAdapter } from '../adapter/attribute.ts';
import {
  detail,
  internalServerError,
  type ParseOptions,
  parseRequest,
  type RenderOptions,
  renderResponse,
} from '../contract/index.ts';
import type { Log } from '../core/ports.ts';
import { inSpan, type Span, type Tracer } from '../core/tracing.ts';
import { failureFields } from './failed-request.ts';
import { readLimitedBody } from './limited-body.ts';
import { attributionPath } from './routes.ts';
import { readTraceHeaders } from './trace-headers.ts';

export interface AttributionSettings {
  readonly parse: ParseOptions;
  readonly render: RenderOptions;
  readonly bodyLimitBytes: number;
}

/** What answers `POST /v1/attribution`. */
export interface AttributionRouteParts {
  /** Asked at each request that has the right shape; where it rejects, the answer is HTTP 500. */
  readonly adapter: () => Promise<AttributionAdapter>;
  readonly log: Log;
  readonly settings: AttributionSettings;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}

const served = {
  kind: 'server',
  attributes: { 'http.request.method': 'POST', 'http.route': attributionPath },
} as const;

/**
 * Answers a request that was let in. It goes past the framework, whose way from connection to handler and back costs
 * more than all the checking of a request. Never rejects.
 */
export async function answerAttribution(
  request: IncomingMessage,
  response: ServerResponse,
  caller: string | null,
  parts: AttributionRouteParts,
): Promise<void> {
  try {
    const parent = readTraceHeaders(request.headers);
    const start = { ...served, parent };
    await inSpan(parts.tracer, `POST ${attributionPath}`, start, async span => {
      const { bodyLimitBytes } = parts.settings;
      const body = await readLimitedBody(request, bodyLimitBytes);
      if (body === null) return;
      if (body.ok) return attribution(body.bytes, request, response, { ...parent, caller }, parts, span);
      const says = detail(`Request body is larger than ${bodyLimitBytes} bytes`);
      send(response, 413, says, { connection: 'close' });
    });
  } catch (error) {
    parts.log.error(failureFields(error), 'request failed');
    if (response.headersSent) response.destroy();
    else send(response, 500, internalServerError(), { 'content-type': 'text/plain; charset=utf-8' });
  }
}

type CallHeaders = ReturnType<typeof readTraceHeaders> & { readonly caller: string | null };

async function attribution(
  body: Uint8Array,
  request: IncomingMessage,
  response: ServerResponse,
  call: CallHeaders,
  { adapter, log, settings, tracer }: AttributionRouteParts,
  span: Span,
): Promise<void> {
  const parsed = inSpan(tracer, 'validate', {}, () =>
    parseRequest(body, request.headers['content-type'], settings.parse),
  );
  span.set({ 'http.response.status_code': parsed.ok ? 200 : parsed.status });
  if (!parsed.ok) {
    log.debug({ status: parsed.status }, 'request refused');
    return send(response, parsed.status, parsed.body);
  }
  const gone = new AbortController();
  // A connection that closes after the answer is nobody hanging up, and aborting makes an error with a stack.
  response.once('close', () => response.writableFinished || gone.abort());
  const opened = await adapter();
  const answer = await opened.attribute(parsed.request, { ...call, aborted: gone.signal });
  send(response, 200, renderResponse(answer, settings.render));
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
