import { isAddress, isOfOtherDomain, isSameName, type NodeDirectory } from './node-names.ts';

/**
 * Leaves out names of a store that may be of another machine: `names` has the node of each. A name that is spelled as the
 * node's counts before full names that only begin so, full names of several domains are of several machines, and so is
 * one of another domain than its peers have.
 */
export function undoubtedNames(
  names: ReadonlyMap<string, string>,
  directory: Pick<NodeDirectory, 'fullNames'>,
): ReadonlyMap<string, string> {
  const apart = namesApart(names);
  const left = new Map([...closestNames(names)].filter(([name]) => !apart.has(name)));
  const others = namesOfOthers(left, directory);
  return new Map([...left].filter(([name]) => !others.has(name)));
}

/** Without full names that only begin as a node that another name spells as the job does. */
export function closestNames(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const spelled = new Set([...names].flatMap(([name, node]) => (isSpelled(name, node) ? [node] : [])));
  return new Map([...names].filter(([name, node]) => !(spelled.has(node) && isLonger(hostOf(name), node))));
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

/**
 * Full names of a domain that at least half of the nodes contradict, where nothing but the short name tells that they
 * are the job's: a machine of another cluster stands in for a node that itself is silent.
 */
export function namesOfOthers(
  names: ReadonlyMap<string, string>,
  directory: Pick<NodeDirectory, 'fullNames'>,
): ReadonlySet<string> {
  const full = [...names].filter(([name]) => isFull(hostOf(name)));
  const nodesOf = new Map<string, Set<string>>();
  for (const [name, node] of full) {
    const domain = domainOf(hostOf(name));
    nodesOf.set(domain, (nodesOf.get(domain) ?? new Set()).add(node));
  }
  const half = new Set(full.map(([, node]) => node)).size / 2;
  const common = [...nodesOf].filter(([, nodes]) => nodes.size >= half);
  const contradicted = new Set(
    [...nodesOf].flatMap(([domain, own]) =>
      common.some(([other, nodes]) => nodes.size >= own.size && !isSameDomain(domain, other)) ? [domain] : [],
    ),
  );
  return new Set(
    full.flatMap(([name, node]) => {
      const isKnown = directory.fullNames(node).some(known => isSameName(known, hostOf(name)));
      return contradicted.has(domainOf(hostOf(name))) && !isKnown ? [name] : [];
    }),
  );
}

function domainOf(host: string): string {
  return host.slice(host.indexOf('.') + 1).toLowerCase();
}

/** Whether one domain is the other, or the other without its end. */
function isSameDomain(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
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
