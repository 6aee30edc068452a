import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '../core/ports.ts';
import { bindServer } from './bind-server.ts';
import { brokenRequests } from './broken-request.ts';
import { checkReachable, type ListenAddress } from './listen-address.ts';
import { matchRoute, type OperationsAnswer, type OperationsRoute, problem } from './operations-route.ts';

export interface OperationsServerParts {
  /** The first whose path fits answers. */
  readonly routes: readonly OperationsRoute[];
  readonly log: Log;
}

/** The listener for those who run the service: readiness and what it remembers. It changes nothing. */
export interface OperationsServer {
  /** Resolves to the address bound. Throws StartupError. */
  listen<Address extends ListenAddress>(
    address: Address,
    options: { readonly trustedNetwork: boolean },
  ): Promise<Address>;
  /** Takes no new connections and resolves when all requests are answered. */
  close(): Promise<void>;
}

const requestTimeoutMs = 15_000;
const backlog = 511;
const longestTarget = 8_192;

export function createOperationsServer(parts: OperationsServerParts): OperationsServer {
  const broken = brokenRequests();
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    (request, response) => {
      broken.note(request, response);
      request.resume();
      void answerOf(request, parts).then(answer => send(request, response, answer));
    },
  );
  server.on('clientError', broken.answer);
  return {
    async listen(address, { trustedNetwork }) {
      checkReachable(address, trustedNetwork);
      return bindServer(server, address, { backlog, setting: 'listen.operations' });
    },
    async close() {
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** Never rejects. */
async function answerOf(
  { method, url = '' }: IncomingMessage,
  { routes, log }: OperationsServerParts,
): Promise<OperationsAnswer> {
  const [path = '', query = ''] = url.length > longestTarget ? [] : url.split('?', 2);
  const matched = matchRoute(routes, path);
  if (matched === null) {
    return problem(404, `There is no such page: there are ${routes.map(route => route.path).join(', ')}`);
  }
  if (method !== 'GET' && method !== 'HEAD') return problem(405, 'Only GET and HEAD are answered here');
  try {
    return await matched.route.answer({ path: matched.path, query: new URLSearchParams(query) });
  } catch (error) {
    log.error({ error: error instanceof Error ? error.name : typeof error }, 'operations request failed');
    return problem(500, 'The request failed; the log of the service tells why');
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: OperationsAnswer): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
    'cache-control': 'no-store',
    ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
