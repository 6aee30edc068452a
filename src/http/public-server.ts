import type { RequestListener } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { AttributionAdapter, Call } from '../adapter/attribute.ts';
import {
  detail,
  internalServerError,
  openapiText,
  type ParseOptions,
  parseRequest,
  type RenderOptions,
  renderResponse,
} from '../contract/index.ts';
import type { Log, Metrics } from '../core/ports.ts';
import { inSpan, type Span, type Tracer } from '../core/tracing.ts';
import type { CallerSettings } from './callers.ts';
import { docsPage } from './docs-page.ts';
import { createEntrance, type Entrance } from './entrance.ts';
import { admit } from './gate.ts';
import { createGuardedListener, type Listener } from './guarded-listener.ts';
import { type LoadSettings, loadLimits } from './load-limits.ts';
import { attributionPath } from './routes.ts';
import type { Tls } from './tls.ts';
import { readTraceHeaders } from './trace-headers.ts';

export interface PublicServerSettings {
  readonly parse: ParseOptions;
  readonly render: RenderOptions;
  readonly bodyLimitBytes: number;
  /** The longest a request may take: an idle connection is closed only well after it. */
  readonly maxTimeoutMs: number;
  readonly callers: CallerSettings;
  readonly load: LoadSettings;
}

export const defaultPublicServerSettings: PublicServerSettings = {
  parse: { naiveDatetimes: 'refuse', echoInput: true },
  render: {},
  bodyLimitBytes: 8 * 1024 * 1024,
  maxTimeoutMs: 600_000,
  callers: { tokens: [] },
  load: { mostRequests: 256, mostPerCaller: 0, mostBytes: 256 * 1024 * 1024 },
};

export interface PublicServerParts {
  /** Asked at each request that has the right shape; where it rejects, the answer is HTTP 500. */
  readonly adapter: () => Promise<AttributionAdapter>;
  readonly log: Log;
  readonly settings: PublicServerSettings;
  /** Absent where nobody collects them. */
  readonly metrics?: Metrics;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
  /** Certificates; without them it serves in the clear. */
  readonly tls?: Tls | null;
}

/** The public port: the contract, its document and nothing else. No answer carries a form other than the contract's. */
export type PublicServer = Listener;

const headerLimitBytes = 64 * 1024;
const headersTimeoutMs = 15_000;
/** A whole request: one that comes a byte at a time holds a place meanwhile. */
const requestTimeoutMs = 20_000;
const keepAliveTimeoutMs = 75_000;
const connectionSlackMs = 60_000;

const options = {
  maxHeaderSize: headerLimitBytes,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  requireHostHeader: false,
  backlog: 4_096,
  connectionShare: 0.25,
  setting: '--listen',
};

export function createPublicServer(parts: PublicServerParts): PublicServer {
  const { settings, tls = null } = parts;
  // Handed over by the framework while it is made.
  let handle: RequestListener = () => {};
  const listener = createGuardedListener({ tls, callers: settings.callers }, options, (request, response) => {
    const path = admit(request, response);
    if (path === null) return;
    if (path === attributionPath && !entrance.letIn(request, response)) return;
    request.url = path;
    handle(request, response);
  });
  const entrance = createEntrance({
    authenticate: listener.authenticate,
    limits: loadLimits(settings.load),
    bodyLimitBytes: settings.bodyLimitBytes,
    metrics: parts.metrics,
  });
  listener.server.setTimeout(settings.maxTimeoutMs + connectionSlackMs);
  const app = fastify({
    bodyLimit: settings.bodyLimitBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Broken requests are answered by the listener already.
    clientErrorHandler: () => {},
    serverFactory(handler) {
      handle = handler;
      return listener.server;
    },
  });
  addRoutes(app, parts, entrance);

  return {
    async listen(address, reach) {
      await app.ready();
      return listener.listen(address, reach);
    },
    async close() {
      await listener.close();
      await app.close();
    },
    renewCertificates: listener.renewCertificates,
  };
}

function addRoutes(app: FastifyInstance, parts: PublicServerParts, entrance: Entrance): void {
  const { log, settings } = parts;
  const document = openapiText();
  const docs = docsPage(document);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // The framework would judge a malformed content type itself; the contract has its own row for it.
  app.addHook('onRequest', async request => {
    delete request.raw.headers['content-type'];
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status === 413)
      return json(reply, 413, detail(`Request body is larger than ${settings.bodyLimitBytes} bytes`));
    if (status < 500) return json(reply, status, detail('There was an error parsing the body'));
    log.error({ error: error instanceof Error ? error.name : typeof error }, 'request failed');
    return reply.code(500).header('content-type', 'text/plain; charset=utf-8').send(internalServerError());
  });

  app.post(attributionPath, (request, reply) => {
    const parent = readTraceHeaders(request.headers);
    return inSpan(parts.tracer, `POST ${attributionPath}`, { ...served, parent }, span =>
      attribution(request, reply, parts, { caller: entrance.callerOf(request.raw), ...parent }, span),
    );
  });
  app.get('/healthz', (_request, reply) => json(reply, 200, '{"status":"ok"}'));
  app.route({
    method: ['GET', 'HEAD'],
    url: '/openapi.json',
    handler: (_request, reply) => json(reply, 200, document),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs',
    handler: (_request, reply) => reply.headers(docs.headers).send(Buffer.from(docs.html)),
  });
}

const served = {
  kind: 'server',
  attributes: { 'http.request.method': 'POST', 'http.route': attributionPath },
} as const;

async function attribution(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PublicServerParts,
  call: Pick<Call, 'caller' | 'traceparent' | 'tracestate'>,
  span: Span,
): Promise<FastifyReply> {
  const { log, settings, tracer } = parts;
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const parsed = inSpan(tracer, 'validate', {}, () =>
    parseRequest(body, givenContentType(request.raw.rawHeaders), settings.parse),
  );
  span.set({ 'http.response.status_code': parsed.ok ? 200 : parsed.status });
  if (!parsed.ok) {
    log.debug({ status: parsed.status }, 'request refused');
    return json(reply, parsed.status, parsed.body);
  }
  const gone = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
  const adapter = await parts.adapter();
  const response = await adapter.attribute(parsed.request, { ...call, aborted: gone.signal });
  return json(reply, 200, renderResponse(response, settings.render));
}

/** The header as it came: the framework's view of it was removed. Names and values alternate; the first one counts. */
function givenContentType(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'content-type');
  return at < 0 ? undefined : rawHeaders[at + 1];
}

/** Bytes, since the framework adds a charset to JSON text. */
function json(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(body));
}

function statusOf(error: unknown): number {
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')
    return error.statusCode;
  return 500;
}
