import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import { detail } from '../contract/index.ts';
import { bindServer } from './bind-server.ts';
import { brokenRequests } from './broken-request.ts';
import { type Authenticate, authenticator, type CallerSettings } from './callers.ts';
import { refuse } from './gate.ts';
import { limitConnections } from './limit-connections.ts';
import { checkReachable, type ListenAddress } from './listen-address.ts';
import { mostConnections } from './most-connections.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Tls } from './tls.ts';

/** What keeps strangers from a listener; each has one of its own. */
export interface Guard {
  /** Certificates; null: it serves in the clear. */
  readonly tls: Tls | null;
  readonly callers: CallerSettings;
}

/** Whoever reaches the listener is answered. */
export const unguarded: Guard = { tls: null, callers: { tokens: [] } };

export interface Listener {
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

export interface GuardedListener extends Listener {
  readonly server: Server;
  readonly authenticate: Authenticate;
}

export interface ListenerOptions extends ServerOptions {
  /** Connections that the system keeps until they are taken. */
  readonly backlog: number;
  /** Of the files that the process may open, so much for its connections; all shares leave some for evidence and stores. */
  readonly connectionShare: number;
  /** What chooses its address. */
  readonly setting: string;
}

/** How soon after its time a request that never came whole is given up. */
const connectionsCheckingInterval = 5_000;
/** Milliseconds for a TLS handshake. */
const handshakeTimeout = 10_000;

/** The one way in which any listener is made: in the clear or over TLS, and no answer in a form of Node.js's own. */
export function createGuardedListener(
  { tls, callers }: Guard,
  { backlog, setting, connectionShare, ...options }: ListenerOptions,
  serve: RequestListener,
): GuardedListener {
  const asksForCertificates = tls?.asksForCertificates === true;
  const demand = { requestCert: asksForCertificates, rejectUnauthorized: asksForCertificates };
  const broken = brokenRequests();
  let closing = false;
  const serveInTurn = oneAtATime((request, response) => {
    connections.busy(request.socket);
    response.once('finish', () => connections.silent(request.socket));
    serve(request, response);
  });
  const take: RequestListener = (request, response) => {
    broken.note(request, response);
    // A connection that was busy when closing began would otherwise idle on until its keep-alive ends.
    response.once('finish', () => closing && setImmediate(() => server.closeIdleConnections()));
    serveInTurn(request, response);
  };
  const all = { connectionsCheckingInterval, handshakeTimeout, ...options };
  const server =
    tls === null ? createServer(all, take) : createTlsServer({ ...all, ...tls.context(), ...demand }, take);
  const connections = limitConnections(server, mostConnections(connectionShare));
  server.on('clientError', broken.answer);
  server.on('checkExpectation', (_request, response) =>
    refuse(response, 417, detail('Expectation Failed'), { connection: 'close' }),
  );
  server.on('connect', (_request, socket) => broken.answer(new Error('CONNECT is not served'), socket));
  return {
    server,
    authenticate: authenticator(callers, asksForCertificates),
    async listen(address, { trustedNetwork }) {
      checkReachable(address, trustedNetwork);
      return bindServer(server, address, { backlog, setting });
    },
    async close() {
      closing = true;
      await new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
    renewCertificates() {
      if (tls !== null && server instanceof TlsServer) server.setSecureContext(tls.context());
    },
  };
}
