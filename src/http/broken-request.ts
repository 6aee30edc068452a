import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { detail } from '../contract/index.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers what the HTTP parser refused, in the contract's form instead of Node.js's own. */
export interface BrokenRequests {
  /** Notes who is being served on a connection, so that an answer in progress is not cut into. */
  note(request: IncomingMessage, response: ServerResponse): void;
  answer(error: Error & { readonly code?: string }, socket: Duplex): void;
}

/** Refused callers may still be sending: closing at once would reset the connection before they read the answer. */
const lingerMs = 1_000;

export function brokenRequests(): BrokenRequests {
  const served = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();

  function refuse(socket: Duplex, code: string | undefined): void {
    if (!socket.writable) return void socket.destroy();
    socket.end(rawAnswer(code));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  return {
    note(request, response) {
      served.set(request.socket, { request, response });
    },
    answer({ code }, socket) {
      if (refused.has(socket)) return;
      refused.add(socket);
      const exchange = served.get(socket);
      if (code === 'ECONNRESET') return void socket.destroy();
      if (exchange === undefined || exchange.response.writableFinished) return refuse(socket, code);
      // A whole request precedes the broken one: it gets its answer first.
      if (exchange.request.complete) return void exchange.response.once('finish', () => refuse(socket, code));
      if (exchange.response.headersSent) return void socket.destroy();
      refuse(socket, code);
    },
  };
}

function rawAnswer(code: string | undefined): string {
  const [status, text] = refusalOf(code);
  const body = detail(text);
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

function refusalOf(code: string | undefined): readonly [string, string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return ['431 Request Header Fields Too Large', 'Request Header Fields Too Large'];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['408 Request Timeout', 'Request Timeout'];
  return ['400 Bad Request', 'Invalid HTTP request received.'];
}
