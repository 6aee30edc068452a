import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributors } from '../adapter/attributors.ts';
import {
  failureHeader,
  type HistoryHits,
  type HistorySearch,
  instanceHeader,
  looksLikeObservation,
  readAttributorRequest,
  readFailureHeader,
  readHistorySearch,
  renderAttribution,
  renderAttributorCreated,
  renderHistoryHits,
  renderObservationAccepted,
  renderSearchRefused,
} from '../contract/dialect/index.ts';
import { detail, internalServerError, methodNotAllowed, notFound } from '../contract/index.ts';
import type { Clock, Log } from '../core/ports.ts';
import { StorageError } from '../core/storage-error.ts';
import { inSpan, type Tracer } from '../core/tracing.ts';
import { type AttributorRoute, attributorRoute } from './attributor-routes.ts';
import { type BodyRoom, bodyRoom } from './body-room.ts';
import { type DecodedBody, decodedBody } from './decoded-body.ts';
import { failureFields } from './failed-request.ts';
import { refuse } from './gate.ts';
import { createGuardedListener, type Guard, type Listener, unguarded } from './guarded-listener.ts';
import { announcedBytes, readLimitedBody } from './limited-body.ts';
import { readTraceHeaders } from './trace-headers.ts';

export interface AttributorServerParts {
  readonly attributors: Attributors;
  /** Named nodes of earlier episodes, the newest first. */
  readonly search: (search: HistorySearch) => Promise<HistoryHits>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'after'>;
  /** Path below which the routes lie, without a slash at its end: `/latest`. */
  readonly prefix: string;
  readonly bodyLimitBytes: number;
  /** Sent by an adapter that asks another; its own coming back means that it asks itself. */
  readonly instanceId: string;
  /** Absent: whoever reaches it is answered. */
  readonly guard?: Guard;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}

/** The listener of clients that push their logs. Closing it resolves when what was pushed is taken in. */
export type AttributorServer = Listener;

const keepAliveTimeoutMs = 5_000;
/** Bodies in memory, together: so many of the largest, and enough for a surge of small ones. */
const largestAtOnce = 4;
const leastRoomBytes = 256 * 1024 * 1024;
/** A client repeats itself after half a minute. */
const patienceMs = 20_000;
/** The wait for room, and then as long again for the body. */
const requestTimeoutMs = 2 * patienceMs;
const options = {
  requestTimeout: requestTimeoutMs,
  headersTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  // Thousands of nodes connect within a second of one another; the system may allow fewer (net.core.somaxconn).
  backlog: 16_384,
  connectionShare: 0.5,
  setting: 'listen.attributor',
};

export function createAttributorServer(parts: AttributorServerParts): AttributorServer {
  const roomBytes = Math.max(leastRoomBytes, largestAtOnce * parts.bodyLimitBytes);
  const room = bodyRoom(roomBytes, patienceMs, parts.clock);
  const listener = createGuardedListener(parts.guard ?? unguarded, options, (request, response) => {
    const admitted = listener.authenticate(request);
    if (admitted === null) {
      refuse(response, 401, detail('Not authenticated'), { 'www-authenticate': 'Bearer' });
      return;
    }
    answer(request, response, { ...parts, room, caller: admitted.caller }).catch(error => {
      parts.log.error(failureFields(error), 'pushed request failed');
      if (response.headersSent) response.destroy();
      else if (error instanceof StorageError) refuse(response, 503, detail(notKept), { 'retry-after': '5' });
      else refuse(response, 500, detail(internalServerError()));
    });
  });
  return {
    ...listener,
    async close() {
      await listener.close();
      await parts.attributors.settled();
    },
  };
}

/** What one request is answered with. */
interface Answering extends AttributorServerParts {
  readonly room: BodyRoom;
  readonly caller: string | null;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Answering): Promise<void> {
  if (request.headers[instanceHeader] === parts.instanceId) {
    refuse(
      response,
      508,
      detail('This adapter asks itself: provider.fact.url leads to its own attributor listener'),
    );
    return;
  }
  const route = attributorRoute(request.method ?? '', request.url ?? '', parts.prefix);
  switch (route.kind) {
    case 'not_found':
      return void refuse(response, 404, notFound());
    case 'wrong_method':
      return void refuse(response, 405, methodNotAllowed(), { allow: route.allow });
    case 'read':
      return read(route.id, request, response, parts);
    case 'create':
    case 'observe':
    case 'search': {
      const leave = await parts.room.take(announcedBytes(request, parts.bodyLimitBytes));
      if (leave === null) return void refuse(response, 503, detail(tooMany), { 'retry-after': '1' });
      try {
        await answerBody(route, request, response, parts);
      } finally {
        leave();
      }
    }
  }
}

async function answerBody(
  route: Extract<AttributorRoute, { readonly kind: 'create' | 'observe' | 'search' }>,
  request: IncomingMessage,
  response: ServerResponse,
  parts: Answering,
): Promise<void> {
  const sent = await readLimitedBody(request, parts.bodyLimitBytes);
  if (sent === null) return;
  if (!sent.ok) return void refuse(response, 413, detail(tooLarge(parts)), { connection: 'close' });
  const body = await decodedBody(sent.bytes, request.headers['content-encoding'], parts.bodyLimitBytes);
  if (!body.ok) return void refuse(response, body.status, detail(body.says));
  if (route.kind === 'create') return create(body, request, response, parts);
  if (route.kind === 'search') return search(body, request, response, parts);
  return observe(route.id, body, response, parts);
}

const notKept = 'It cannot be kept at the moment: try again later';
const tooMany = 'Too much is being pushed: try again later';

type WholeBody = Extract<DecodedBody, { readonly ok: true }>;

const tooLarge = ({ bodyLimitBytes }: AttributorServerParts): string =>
  `Request body is larger than ${bodyLimitBytes} bytes`;

async function create(
  { bytes }: WholeBody,
  request: IncomingMessage,
  response: ServerResponse,
  { attributors, caller }: Answering,
): Promise<void> {
  const given = readAttributorRequest(parse(bytes));
  if (!given.ok) return void refuse(response, 422, detail(given.says));
  const header = request.headers[failureHeader];
  const details = readFailureHeader(typeof header === 'string' ? header : null);
  send(response, renderAttributorCreated(await attributors.create(given.request, details, caller)));
}

/** Kept as it came: what can be read of it is found out later, since a refusal would only be sent again. */
async function observe(
  id: string,
  { bytes }: WholeBody,
  response: ServerResponse,
  { attributors, caller }: Answering,
): Promise<void> {
  if (!looksLikeObservation(bytes)) return void refuse(response, 422, detail('The body must be a JSON object'));
  const observation = await attributors.observe(id, bytes, caller);
  if (observation === null) return void refuse(response, 404, detail('Attributor unknown'));
  send(response, renderObservationAccepted(observation));
}

async function read(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  { attributors, caller, tracer }: Answering,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const parent = readTraceHeaders(request.headers);
  const found = await inSpan(tracer, 'GET attribution', { kind: 'server', parent }, () =>
    attributors.attribution(id, { ...parent, caller, aborted: gone.signal }),
  );
  if (found === null) return void refuse(response, 404, detail('Attributor unknown'));
  send(response, renderAttribution(found));
}

async function search(
  { bytes }: WholeBody,
  request: IncomingMessage,
  response: ServerResponse,
  parts: AttributorServerParts,
): Promise<void> {
  if (request.url?.includes('?')) {
    return void refuse(response, 400, renderSearchRefused('parameters in the address are not served'));
  }
  const asked = readHistorySearch(bytes.length === 0 ? {} : parse(bytes));
  if (!asked.ok) return void refuse(response, 400, renderSearchRefused(asked.says));
  send(response, renderHistoryHits(await parts.search(asked.search), asked.search.fields));
}

function send(response: ServerResponse, body: string): void {
  refuse(response, 200, body);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
