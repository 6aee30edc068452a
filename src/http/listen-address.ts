import { isIP } from 'node:net';
import { StartupError } from '../core/errors.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `HOST:PORT` (`[::1]:8000` for IPv6; `localhost` is 127.0.0.1). Throws StartupError. */
export function parseListenAddress(text: string): ListenAddress {
  const colon = text.lastIndexOf(':');
  const port = text.slice(colon + 1);
  const named = text.slice(0, Math.max(colon, 0));
  const host = named.startsWith('[') && named.endsWith(']') ? named.slice(1, -1) : named;
  const isWhole = colon > 0 && host !== '' && (isIP(host) !== 6 || named !== host);
  if (!isWhole || !/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartupError(`listen address ${text}: write HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000`);
  }
  return { host: host === 'localhost' ? '127.0.0.1' : host, port: Number(port) };
}

/**
 * Lets only loopback addresses pass unless the operator vouches for the network: callers are not authenticated, and
 * requests and answers carry node names and log excerpts. Throws StartupError.
 */
export function checkReachable(address: ListenAddress, trustedNetwork: boolean): void {
  if (trustedNetwork || isLoopback(address.host)) return;
  throw new StartupError(
    `listen address ${formatAddress(address)} can be reached from other machines and callers are not authenticated: ` +
      'add --trusted-network if the network lets only trusted callers in, or listen on 127.0.0.1',
  );
}

export function formatAddress({ host, port }: ListenAddress): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
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
  ['EACCES', 'this user may not use that port; choose one above 1023'],
  ['ENOTFOUND', 'no such host; give an IP address'],
]);

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
