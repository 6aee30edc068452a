import { hostname, networkInterfaces } from 'node:os';
import { StartupError } from '../core/errors.ts';
import { parseListenAddress } from '../http/listen-address.ts';
import type { Settings } from './settings.ts';

const anyHost = new Set(['0.0.0.0', '::']);

/** An adapter that asks itself would wait for itself. Another name of this machine is recognised when the request arrives. */
export function refuseSelfReference({ provider, attributor, listen }: Settings): void {
  if (provider.kind !== 'fact' || !attributor.enabled || !URL.canParse(provider.fact.url.trim())) return;
  const url = new URL(provider.fact.url.trim());
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const own = parseListenAddress(listen.attributor);
  if ('socket' in own || port !== own.port) return;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const names = anyHost.has(own.host) ? ownNames() : isLoopback(own.host) ? loopbackNames : new Set([own.host]);
  if (!names.has(host)) return;
  throw new StartupError(
    `provider.fact.url: ${url.host} is this adapter's own attributor listener (listen.attributor): give another service's address`,
  );
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

function isLoopback(host: string): boolean {
  return loopbackNames.has(host) || host.startsWith('127.');
}

function ownNames(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap(entries =>
    (entries ?? []).map(({ address }) => address),
  );
  return new Set([...loopbackNames, hostname(), ...addresses]);
}
