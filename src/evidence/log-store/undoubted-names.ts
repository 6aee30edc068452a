import { isAddress } from '../../lines/node-names.ts';

/**
 * Leaves out names of a store that may be of another machine: `names` has the node of each. A name that is spelled as the
 * node's counts before full names that only begin so, and full names of several domains are of several machines.
 */
export function undoubtedNames(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const byNode = Map.groupBy([...names], ([, node]) => node);
  const left = [...byNode].flatMap(([node, entries]) => {
    const full = entries.filter(([name]) => domainOf(name, node) !== null);
    const isSpelled = entries.some(([name]) => hostOf(name).toLowerCase() === node.toLowerCase());
    const domains = new Set(full.map(([name]) => domainOf(name, node)));
    return domains.size > (isSpelled ? 0 : 1) ? entries.filter(entry => !full.includes(entry)) : entries;
  });
  return new Map(left);
}

/** What a full name has behind the node's name; null where it is none. */
function domainOf(name: string, node: string): string | null {
  const host = hostOf(name).toLowerCase();
  return !isAddress(host) && host.startsWith(`${node.toLowerCase()}.`) ? host.slice(node.length + 1) : null;
}

/** Scrapers name what they read by address and port. */
export function hostOf(name: string): string {
  return name.replace(/^([^:]+):\d{1,5}$/, '$1');
}
