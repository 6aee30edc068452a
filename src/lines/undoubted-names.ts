import { isAddress, isOfOtherDomain } from './node-names.ts';

/**
 * Leaves out names of a store that may be of another machine: `names` has the node of each. A name that is spelled as the
 * node's counts before full names that only begin so, and full names of several domains are of several machines.
 */
export function undoubtedNames(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const apart = namesApart(names);
  const spelled = new Set([...names].flatMap(([name, node]) => (isSpelled(name, node) ? [node] : [])));
  return new Map(
    [...names].filter(
      ([name, node]) => !apart.has(name) && !(spelled.has(node) && isLonger(hostOf(name), node)),
    ),
  );
}

/** Full names that begin alike, go on in different domains and are taken for one node: they are of several machines. */
export function namesApart(names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const full = [...names].filter(([name, node]) => isFull(hostOf(name)) && !isSpelled(name, node));
  const alike = Map.groupBy(full, ([name, node]) => `${node} ${firstLabel(hostOf(name))}`);
  return new Set(
    [...alike.values()].flatMap(entries => {
      const hosts = [...new Set(entries.map(([name]) => hostOf(name)))];
      const longest = hosts.reduce((a, b) => (b.length > a.length ? b : a));
      return hosts.some(host => isOfOtherDomain(host, longest)) ? entries.map(([name]) => name) : [];
    }),
  );
}

function isSpelled(name: string, node: string): boolean {
  return hostOf(name).toLowerCase() === node.toLowerCase();
}

/** Whether a name has the node's, or its first label, and a domain behind it. */
function isLonger(host: string, node: string): boolean {
  return host.toLowerCase() !== node.toLowerCase() && isFull(host) && firstLabel(host) === firstLabel(node);
}

function isFull(host: string): boolean {
  return host.includes('.') && !isAddress(host);
}

function firstLabel(host: string): string {
  return (host.split('.', 1)[0] ?? host).toLowerCase();
}

/** Scrapers name what they read by address and port. */
export function hostOf(name: string): string {
  return name.replace(/^([^:]+):\d{1,5}$/, '$1');
}
