import type { RequestListener } from 'node:http';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { detail, internalServerError, openapiText } from '../contract/index.ts';
import type { Metrics } from '../core/ports.ts';
import {
  type AttributionRouteParts,
  type AttributionSettings,
  answerAttribution,
} from './attribution-route.ts';
import type { CallerSettings } from './callers.ts';
import { docsPage } from './docs-page.ts';
import { createEntrance } from './entrance.ts';
import { failureFields } from './failed-request.ts';
import { admit } from './gate.ts';
import { createGuardedListener, type Listener } from './guarded-listener.ts';
import { type LoadSettings, loadLimits } from './load-limits.ts';
import { attributionPath } from './routes.ts';
import type { Tls } from './tls.ts';

export interface PublicServerSettings extends AttributionSettings {
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

export interface PublicServerParts extends AttributionRouteParts {
  readonly settings: PublicServerSettings;
  /** Absent where nobody collects them. */
  readonly metrics?: Metrics;
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
    if (path === attributionPath) {
      const admitted = entrance.letIn(request, response);
      if (admitted !== null) void answerAttribution(request, response, admitted.caller, parts);
      return;
    }
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
  addRoutes(app, parts);

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

function addRoutes(app: FastifyInstance, { log }: PublicServerParts): void {
  const document = openapiText();
  const docs = docsPage(document);

  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status < 500) return json(reply, status, detail('There was an error parsing the body'));
    log.error(failureFields(error), 'request failed');
    return reply.code(500).header('content-type', 'text/plain; charset=utf-8').send(internalServerError());
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

/** Bytes, since the framework adds a charset to JSON text. */
function json(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(body));
}

function statusOf(error: unknown): number {
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number')
    return error.statusCode;
  return 500;
}
