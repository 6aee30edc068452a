import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expiredCertificate, testCertificate, testKey } from './test-certificates.ts';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  /** Of the query and of a form in the body. */
  readonly parameters: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a server, or what stands before it, does wrong whatever it is asked. */
export const transportFaults = [
  'refused',
  'reset',
  'one byte a second',
  'half a JSON',
  'wrong gzip',
  'gzip bomb',
  '401',
  '403',
  '429 with Retry-After',
  '500',
  '503',
  'redirect loop',
  'redirect to another host',
  'expired certificate',
  'HTML 200',
  'wrong content type',
  'ten times the cap',
] as const;
export type TransportFault = (typeof transportFaults)[number];

export interface FakeServerOptions {
  /** Every answer takes this long. */
  readonly delayMs?: number;
  /** Paths that are answered at once all the same, such as the one that fills the store. */
  readonly promptOn?: RegExp;
  /** Requests answered at once; further ones wait. */
  readonly atOnce?: number;
  readonly fault?: TransportFault | null;
  /** Paths that the fault befalls; all of them unless told. */
  readonly faultOn?: RegExp;
  readonly tls?: boolean;
  /** A client must show the test certificate. */
  readonly clientCertificate?: boolean;
  readonly gzip?: boolean;
  readonly unixSocket?: string;
  /** What counts as ten times the cap. */
  readonly floodBytes?: number;
}

export interface FakeServer {
  readonly url: string;
  /** Everything asked so far. */
  readonly requests: readonly FakeRequest[];
  /** Most requests answered at the same time, connections made, and answers that had to be there before the last request. */
  readonly most: { readonly atOnce: number; readonly connections: number; readonly inTurn: number };
  /** Bytes of bodies sent. */
  readonly sentBytes: number;
  /** From now on answers have this fault. Certificates are chosen at the start. */
  breakDown(fault: TransportFault): Promise<void>;
  close(): Promise<void>;
}

/** A server on loopback that answers as `handle` says, or commits one fault. */
export async function startFakeServer(
  handle: (request: FakeRequest) => FakeAnswer,
  options: FakeServerOptions = {},
): Promise<FakeServer> {
  const { delayMs = 0, atOnce = Number.POSITIVE_INFINITY } = options;
  let fault = options.fault ?? null;
  const requests: FakeRequest[] = [];
  const sockets = new Set<Socket>();
  const stopped = new AbortController();
  const most = { atOnce: 0, connections: 0, inTurn: 0 };
  let answeredInTurn = 0;
  let sentBytes = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve));
    running += 1;
    const turn = answeredInTurn + 1;
    most.inTurn = Math.max(most.inTurn, turn);
    most.atOnce = Math.max(most.atOnce, running);
    try {
      if (delayMs > 0 && options.promptOn?.test(request.path) !== true)
        await sleep(delayMs, undefined, { signal: stopped.signal });
      const fine = fault === null || options.faultOn?.test(request.path) === false;
      if (fault === null || fine) sentBytes += sendAnswer(outgoing, handle(request), options.gzip === true);
      else await commit(fault, handle(request), incoming, outgoing, options, stopped.signal);
    } finally {
      answeredInTurn = Math.max(answeredInTurn, turn);
      running -= 1;
      waiting.shift()?.();
    }
  };
  const listener: RequestListener = (incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  };
  const secure = options.tls === true || fault === 'expired certificate' || options.clientCertificate === true;
  const server = secure
    ? createTlsServer(
        {
          key: testKey,
          cert: fault === 'expired certificate' ? expiredCertificate : testCertificate,
          ...(options.clientCertificate === true
            ? { ca: testCertificate, requestCert: true, rejectUnauthorized: true }
            : {}),
        },
        listener,
      )
    : createServer(listener);
  server.on('connection', (socket: Socket) => {
    most.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  if (options.unixSocket === undefined) server.listen(0, '127.0.0.1');
  else server.listen(options.unixSocket);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    stopped.abort();
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  if (fault === 'gzip bomb') bomb();
  const port = options.unixSocket === undefined ? (server.address() as AddressInfo).port : 80;
  if (fault === 'refused') await close();
  return {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    most,
    get sentBytes() {
      return sentBytes;
    },
    async breakDown(next) {
      fault = next;
      if (next === 'gzip bomb') bomb();
      if (next === 'refused') await close();
    },
    close,
  };
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const parameters = new URLSearchParams(url.searchParams);
  if (incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true) {
    for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value);
  }
  return { method: incoming.method ?? '', path: url.pathname, parameters, headers: incoming.headers, body };
}

function sendAnswer(
  outgoing: ServerResponse,
  { status, type, body, headers }: FakeAnswer,
  gzip: boolean,
): number {
  const content = gzip ? gzipSync(body) : Buffer.from(body);
  outgoing.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': content.length,
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  });
  outgoing.end(content);
  return content.length;
}

async function commit(
  fault: TransportFault,
  fine: FakeAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: FakeServerOptions,
  stopped: AbortSignal,
): Promise<void> {
  const text = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
    sendAnswer(
      outgoing,
      { status, type: 'text/plain; charset=utf-8', body: `status ${status}\n`, headers },
      false,
    );
  };
  switch (fault) {
    case 'reset':
      incoming.socket.resetAndDestroy();
      return;
    case 'one byte a second': {
      outgoing.writeHead(200, { 'content-type': fine.type });
      for (const byte of Buffer.from(fine.body)) {
        if (outgoing.destroyed) return;
        outgoing.write(Buffer.of(byte));
        await sleep(1000, undefined, { signal: stopped, ref: false });
      }
      return;
    }
    case 'half a JSON':
      sendAnswer(outgoing, { ...fine, body: fine.body.slice(0, fine.body.length / 2) }, false);
      return;
    case 'wrong gzip':
      outgoing.writeHead(200, { 'content-type': fine.type, 'content-encoding': 'gzip' });
      outgoing.end(fine.body);
      return;
    case 'gzip bomb':
      outgoing.writeHead(200, { 'content-type': fine.type, 'content-encoding': 'gzip' });
      outgoing.end(bomb());
      return;
    case '401':
    case '403':
    case '500':
    case '503':
      text(Number(fault));
      return;
    case '429 with Retry-After':
      text(429, { 'retry-after': '120' });
      return;
    case 'redirect loop':
      text(307, { location: incoming.url ?? '/' });
      return;
    case 'redirect to another host':
      text(307, { location: 'http://127.0.0.2:9/elsewhere' });
      return;
    case 'HTML 200':
      sendAnswer(outgoing, { status: 200, type: 'text/html', body: '<html>Sign in</html>' }, false);
      return;
    case 'wrong content type':
      sendAnswer(outgoing, { ...fine, type: 'application/octet-stream' }, false);
      return;
    case 'ten times the cap':
      outgoing.writeHead(200, { 'content-type': fine.type });
      await pipeline(Readable.from(flood(options.floodBytes ?? 0)), outgoing).catch(() => {});
      return;
    case 'refused':
    case 'expired certificate':
      sendAnswer(outgoing, fine, false);
  }
}

function* flood(bytes: number): Generator<Buffer, void, void> {
  for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(65_536, 32);
}

let packed: Buffer | null = null;
/** 32 MiB of blanks in some 33 kB. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(32 * 1024 * 1024, 32));
  return packed;
}
