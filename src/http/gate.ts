import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { detail, methodNotAllowed, notFound } from '../contract/index.ts';
import { routeOf } from './routes.ts';

/** Longer request targets are refused; no path of ours needs a tenth of it. */
const longestTarget = 8_192;

/**
 * Answers what is not ours to answer (404, 405, 307, 414, 400) before the framework sees the request and before its
 * body is read. Returns the path of the route it is for, or null where it has been answered.
 */
export function admit(request: IncomingMessage, response: ServerResponse): string | null {
  const target = request.url ?? '';
  if (target.length > longestTarget) return refuse(response, 414, detail('URI Too Long'));
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    return refuse(response, 400, detail('Invalid HTTP request received.'));
  }
  const routing = routeOf(request.method ?? '', target);
  switch (routing.kind) {
    case 'route':
      return routing.path;
    case 'redirect':
      response.writeHead(307, {
        location: `${schemeOf(request)}://${authority(request)}${routing.to}`,
        'content-length': 0,
      });
      response.end();
      return null;
    case 'wrong_method':
      return refuse(response, 405, methodNotAllowed(), { allow: routing.allow });
    case 'not_found':
      return refuse(response, 404, notFound());
  }
}

/** Sends a small JSON body whose content type is exactly `application/json`. */
export function refuse(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): null {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
  return null;
}

const schemeOf = ({ socket }: IncomingMessage): string => (socket instanceof TLSSocket ? 'https' : 'http');

/** The host the caller asked for, where it looks like one; else the address it reached. */
function authority(request: IncomingMessage): string {
  const { host = '' } = request.headers;
  if (/^[A-Za-z0-9._:[\]-]{1,255}$/.test(host)) return host;
  const { localAddress = '127.0.0.1', localPort = 80 } = request.socket;
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
}
