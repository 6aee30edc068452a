import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import { parseListenAddress } from '../http/listen-address.ts';

/** Addresses that a name stands for; none where nobody knows it. */
type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * An adapter that asks itself would wait for itself. Throws StartupError where the address of the FACT service leads to
 * the attributor listener of this process: as it stands, or by what its name resolves to. What only a proxy or a port
 * forwarding leads back is recognised when the request arrives.
 */
export async function refuseSelfReference(
  { provider, attributor, listen }: Settings,
  clock: Clock,
  resolve: Resolve = addressesOf,
): Promise<void> {
  if (provider.kind !== 'fact' || !attributor.enabled || !URL.canParse(provider.fact.url.trim())) return;
  const url = new URL(provider.fact.url.trim());
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const own = parseListenAddress(listen.attributor);
  if ('socket' in own || port !== own.port) return;
  const inTime = (name: string): Promise<readonly string[]> => soon(resolve(name), clock);
  const [asked, listened] = await Promise.all([url.hostname, own.host].map(host => addresses(host, inTime)));
  const reached = reachedBy(listened ?? []);
  if (!(asked ?? []).some(address => isIn(reached, address))) return;
  throw new StartupError(
    `provider.fact.url: ${url.host} is this adapter's own attributor listener (listen.attributor): give another service's address`,
  );
}

const bracketed = /^\[(.*)\]$/;

async function addresses(host: string, resolve: Resolve): Promise<readonly string[]> {
  const name = bracketed.exec(host)?.[1] ?? host;
  return isIP(name) === 0 ? resolve(name) : [name];
}

/** What leads to a listener at these addresses. */
function reachedBy(listened: readonly string[]): BlockList {
  const reached = new BlockList();
  const add = (address: string): void => reached.addAddress(address, familyOf(address));
  const machine = new BlockList();
  machine.addAddress('0.0.0.0');
  machine.addAddress('::', 'ipv6');
  const loopback = new BlockList();
  addLoopback(loopback);
  for (const address of listened) {
    add(address);
    // Whoever asks for any address is led to the loopback.
    if (isIn(machine, address) || isIn(loopback, address)) addLoopback(reached);
    if (isIn(machine, address)) for (const each of ownAddresses()) add(each);
  }
  return reached;
}

function addLoopback(list: BlockList): void {
  list.addSubnet('127.0.0.0', 8);
  list.addAddress('::1', 'ipv6');
  list.addAddress('0.0.0.0');
  list.addAddress('::', 'ipv6');
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap(entries => (entries ?? []).map(({ address }) => address));
}

async function addressesOf(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

const lookupLimitMs = 5_000;

/** Start-up waits for no slow name server: who cannot resolve the name now is told apart when a request arrives. */
async function soon(resolving: Promise<readonly string[]>, clock: Clock): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const cancel = clock.after(lookupLimitMs, () => resolve([]));
  resolving.then(resolve, () => resolve([]));
  const found = await promise;
  cancel();
  return found;
}
