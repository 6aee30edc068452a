import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { StartupError } from '../core/errors.ts';

export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

/** A Unix domain socket, which only processes of this machine that may open its file can reach. */
export interface SocketAddress {
  readonly socket: string;
}

export type ListenAddress = NetworkAddress | SocketAddress;

const socketPrefix = 'unix:';
/** The kernel keeps the path in 108 bytes, one of which ends it. */
const longestSocketPath = 107;

/** Reads `HOST:PORT` (`[::1]:8000` for IPv6; `localhost` is 127.0.0.1) or `unix:/PATH`. Throws StartupError. */
export function parseListenAddress(text: string): ListenAddress {
  if (text.startsWith(socketPrefix)) return parseSocket(text);
  const colon = text.lastIndexOf(':');
  const port = text.slice(colon + 1);
  const named = text.slice(0, Math.max(colon, 0));
  const host = named.startsWith('[') && named.endsWith(']') ? named.slice(1, -1) : named;
  const isWhole = colon > 0 && host !== '' && (isIP(host) !== 6 || named !== host);
  if (!isWhole || !/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartupError(
      `listen address ${shown(text)}: write HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000, or unix:/PATH`,
    );
  }
  return { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) };
}

/** A URL was put here by mistake, and may hold a password. */
function shown(text: string): string {
  return text.replace(/^(.*:\/\/).*@/, '$1...@');
}

function parseSocket(text: string): SocketAddress {
  const socket = text.slice(socketPrefix.length);
  if (!isAbsolute(socket) || Buffer.byteLength(socket) > longestSocketPath) {
    throw new StartupError(
      `listen address ${shown(text)}: write unix: and an absolute path of at most ${longestSocketPath} bytes`,
    );
  }
  return { socket };
}

/** What a guard lacks, and what the settings of its listener begin with (`operations.`; empty: the public one's). */
export interface Exposure {
  readonly kind: 'callersUnknown' | 'tokensInTheClear';
  readonly prefix: string;
}

function lackOf({ kind, prefix }: Exposure): string {
  return kind === 'tokensInTheClear'
    ? `its tokens would cross the network in the clear: set ${prefix}tls.certificate and ${prefix}tls.key, or listen on 127.0.0.1`
    : `callers are not authenticated: set ${prefix}tls with ${prefix}callers.tokens or ${prefix}tls.clientAuthority, or listen on 127.0.0.1`;
}

/**
 * Lets only loopback addresses and sockets pass unless something guards the others: callers that are not authenticated
 * would read and send node names and log excerpts. `exposure` tells what the guard lacks. Throws StartupError.
 */
export function checkReachable(
  address: ListenAddress,
  isGuarded: boolean,
  exposure: Exposure = { kind: 'callersUnknown', prefix: '' },
): void {
  if (isGuarded || 'socket' in address || isLoopback(address.host)) return;
  throw new StartupError(
    `listen address ${formatAddress(address)} can be reached from other machines and ${lackOf(exposure)}; ` +
      'only where the network itself lets nobody but trusted callers in, add --trusted-network',
  );
}

export function formatAddress(address: ListenAddress): string {
  if ('socket' in address) return `${socketPrefix}${address.socket}`;
  const { host, port } = address;
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** As a client writes it: `https://127.0.0.1:8000`, or the path of a socket. */
export function addressUrl(address: ListenAddress, scheme: 'http' | 'https'): string {
  return 'socket' in address ? formatAddress(address) : `${scheme}://${formatAddress(address)}`;
}

/** One line for what the system said about an address; `setting` is what chooses another. */
export function listenFailure(address: ListenAddress, error: unknown, setting = '--listen'): StartupError {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const reason = reasons.get(code);
  const says = reason === undefined ? String(code) : `${reason} with ${setting}`;
  return new StartupError(`cannot listen on ${formatAddress(address)}: ${says}`, 1, { cause: error });
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'another process listens there; stop it or choose another address'],
  ['EADDRNOTAVAIL', 'this machine has no such address; choose one'],
  ['EACCES', 'this user may not use that port or folder; choose a port above 1023, or a folder of its own,'],
  ['ENOENT', 'the folder of the socket does not exist; make it or choose another'],
  ['ENOTFOUND', 'no such host; give an IP address'],
]);

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
