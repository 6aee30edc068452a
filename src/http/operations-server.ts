import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../core/ports.ts';
import { failureFields } from './failed-request.ts';
import { createGuardedListener, type Guard, type Listener, unguarded } from './guarded-listener.ts';
import { matchRoute, type OperationsAnswer, type OperationsRoute, problem } from './operations-route.ts';

export interface OperationsServerParts {
  /** The first whose path fits answers. */
  readonly routes: readonly OperationsRoute[];
  readonly log: Log;
  /** Absent: whoever reaches it is answered. */
  readonly guard?: Guard;
}

/** The listener for those who run the service: readiness and what it remembers. It changes nothing. */
export type OperationsServer = Listener;

const requestTimeoutMs = 15_000;
const options = {
  requestTimeout: requestTimeoutMs,
  headersTimeout: requestTimeoutMs,
  backlog: 511,
  connectionShare: 0.05,
  setting: 'listen.operations',
};
const longestTarget = 8_192;

export function createOperationsServer(parts: OperationsServerParts): OperationsServer {
  const listener = createGuardedListener(parts.guard ?? unguarded, options, (request, response) => {
    request.resume();
    const isKnown = (): boolean => listener.authenticate(request) !== null;
    void answerOf(request, parts, isKnown).then(answer => send(request, response, answer));
  });
  return listener;
}

/** Never rejects. */
async function answerOf(
  { method, url = '' }: IncomingMessage,
  { routes, log }: OperationsServerParts,
  isKnown: () => boolean,
): Promise<OperationsAnswer> {
  const [path = '', query = ''] = url.length > longestTarget ? [] : url.split('?', 2);
  const matched = matchRoute(routes, path);
  if (matched?.route.isOpen !== true && !isKnown()) return problem(401, 'Send a token of this listener');
  if (matched === null) {
    return problem(404, `There is no such page: there are ${routes.map(route => route.path).join(', ')}`);
  }
  if (method !== 'GET' && method !== 'HEAD') return problem(405, 'Only GET and HEAD are answered here');
  try {
    return await matched.route.answer({ path: matched.path, query: new URLSearchParams(query) });
  } catch (error) {
    log.error(failureFields(error), 'operations request failed');
    return problem(500, 'The request failed; the log of the service tells why');
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: OperationsAnswer): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
    'cache-control': 'no-store',
    ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
    ...(answer.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
