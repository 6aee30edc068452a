import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { AttributionAdapter } from '../adapter/attribute.ts';
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
import { bindServer } from './bind-server.ts';
import { brokenRequests } from './broken-request.ts';
import { authenticator, type CallerSettings } from './callers.ts';
import { docsPage } from './docs-page.ts';
import { createEntrance, type Entrance } from './entrance.ts';
import { admit, refuse } from './gate.ts';
import { checkReachable, type ListenAddress } from './listen-address.ts';
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
  load: { mostRequests: 256, mostPerCaller: 0 },
};

export interface PublicServerParts {
  /** Asked at each request that has the right shape; where it rejects, the answer is HTTP 500. */
  readonly adapter: () => Promise<AttributionAdapter>;
  readonly log: Log;
  readonly settings: PublicServerSettings;
  /** Absent where nobody collects them. */
  readonly metrics?: Metrics;
  /** Certificates; without them it serves in the clear. */
  readonly tls?: Tls | null;
}

/** The public port: the contract, its document and nothing else. No answer carries a form other than the contract's. */
export interface PublicServer {
  /** Resolves to the address bound (port 0 chooses one). Throws StartupError. */
  listen<Address extends ListenAddress>(
    address: Address,
    options: { readonly trustedNetwork: boolean },
  ): Promise<Address>;
  /** Takes no new connections and resolves when all requests are answered. */
  close(): Promise<void>;
  /** Connections from now on get the certificates that are in force by now. */
  renewCertificates(): void;
}

const headerLimitBytes = 64 * 1024;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;
const keepAliveTimeoutMs = 75_000;
const connectionSlackMs = 60_000;
const backlog = 4_096;

const limits = {
  maxHeaderSize: headerLimitBytes,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  requireHostHeader: false,
};

function tlsOptions(tls: Tls): ServerOptions {
  const { asksForCertificates } = tls;
  return {
    ...limits,
    ...tls.context(),
    requestCert: asksForCertificates,
    rejectUnauthorized: asksForCertificates,
  };
}

export function createPublicServer(parts: PublicServerParts): PublicServer {
  const { settings, tls = null } = parts;
  const entrance = createEntrance(
    authenticator(settings.callers, tls?.asksForCertificates === true),
    loadLimits(settings.load),
    parts.metrics,
  );
  const broken = brokenRequests();
  let closing = false;
  const app = fastify({
    bodyLimit: settings.bodyLimitBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: broken.answer,
    serverFactory(handle) {
      const serve: RequestListener = (request, response) => {
        broken.note(request, response);
        // A connection that was busy when closing began would otherwise idle on until its keep-alive ends.
        response.once('finish', () => closing && setImmediate(() => server.closeIdleConnections()));
        const path = admit(request, response);
        if (path === null) return;
        if (path === attributionPath && !entrance.letIn(request, response)) return;
        request.url = path;
        handle(request, response);
      };
      const server = tls === null ? createServer(limits, serve) : createTlsServer(tlsOptions(tls), serve);
      server.setTimeout(settings.maxTimeoutMs + connectionSlackMs);
      server.on('checkExpectation', (_request, response) =>
        refuse(response, 417, detail('Expectation Failed'), { connection: 'close' }),
      );
      server.on('connect', (_request, socket) => broken.answer(new Error('CONNECT is not served'), socket));
      return server;
    },
  });
  addRoutes(app, parts, entrance);

  return {
    async listen(address, { trustedNetwork }) {
      checkReachable(address, trustedNetwork);
      await app.ready();
      return bindServer(app.server, address, { backlog, setting: '--listen' });
    },
    async close() {
      closing = true;
      const ended = new Promise<void>(resolve => app.server.close(() => resolve()));
      app.server.closeIdleConnections();
      await ended;
      await app.close();
    },
    renewCertificates() {
      if (tls !== null && app.server instanceof TlsServer) app.server.setSecureContext(tls.context());
    },
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

  app.post(attributionPath, async (request, reply) =>
    attribution(request, reply, parts, entrance.callerOf(request.raw)),
  );
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

async function attribution(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PublicServerParts,
  caller: string | null,
): Promise<FastifyReply> {
  const { log, settings } = parts;
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const parsed = parseRequest(body, givenContentType(request.raw.rawHeaders), settings.parse);
  if (!parsed.ok) {
    log.debug({ status: parsed.status }, 'request refused');
    return json(reply, parsed.status, parsed.body);
  }
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const adapter = await parts.adapter();
  const trace = readTraceHeaders(request.headers);
  const response = await adapter.attribute(parsed.request, { caller, ...trace, aborted: gone.signal });
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
