import { isAddress } from './node-names.ts';

/** Whether two spellings mean one host: without regard to case, and short name and full name alike. */
export function isSameHost(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)];
  if (one === other) return true;
  if (isAddress(one) || isAddress(other)) return false;
  return one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/**
 * Whether two names are given by one scheme, so that they differ in their numbers alone (`node-02`, `node-03`): then
 * different names are different machines, and neither is another name of the other.
 */
export function isSameScheme(a: string, b: string): boolean {
  return schemeOf(a) === schemeOf(b);
}

/** What a machine calls itself before it has a name: such a line is of whoever wrote the log. */
export function isUnnamedHost(host: string): boolean {
  const name = plain(host);
  return name === '(none)' || name === '::1' || name.startsWith('127.') || /^localhost(?:$|\.)/.test(name);
}

/**
 * Whether a host that a line in a node's own log names is that node. `alias` is what the node calls itself besides its
 * name; undefined where nobody looked: then only a host of the same naming scheme is surely another.
 */
export function isHostOf(host: string, node: string, alias: string | null | undefined): boolean {
  if (isSameHost(host, node) || isUnnamedHost(host)) return true;
  if (alias === undefined) return !isSameScheme(host, node);
  return alias !== null && isSameHost(host, alias);
}

function schemeOf(name: string): string {
  const whole = plain(name);
  const short = isAddress(whole) ? whole : (whole.split('.', 1)[0] ?? whole);
  return short.replace(/\d+/g, '#');
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, '');
}
