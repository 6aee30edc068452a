import type { NodeIdentity } from '../core/ports.ts';

export type NodeMatch =
  | { readonly kind: 'one'; readonly node: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'none' };

/** Joins names found in evidence to the nodes of a job. */
export interface NodeDirectory {
  readonly names: readonly string[];
  resolve(raw: string): NodeMatch;
  /** The full names, with their domain, that the job or an alias has of a node. */
  fullNames(node: string): readonly string[];
}

const none: NodeMatch = { kind: 'none' };
const nobody: ReadonlySet<string> = new Set();

/** Names by key, as written and folded to lower case; nodes that share a key stay side by side. */
interface NameIndex {
  add(key: string, node: string): void;
  /** By the key as written, else without case. */
  find(key: string): ReadonlySet<string>;
}

/** Of a key almost always one: a set each would take longer to make than all the rest. */
type Names = string | Set<string>;

function nameIndex(): NameIndex {
  const asWritten = new Map<string, Names>();
  /** Of keys with capitals alone: others stand in `asWritten` as they are. */
  const folded = new Map<string, Names>();
  const put = (map: Map<string, Names>, key: string, node: string): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, node);
    else if (typeof known !== 'string') known.add(node);
    else if (known !== node) map.set(key, new Set([known, node]));
  };
  return {
    add(key, node) {
      put(asWritten, key, node);
      const lowered = key.toLowerCase();
      if (lowered !== key) put(folded, lowered, node);
    },
    find(key) {
      const exact = asWritten.get(key);
      if (exact !== undefined) return setOf(exact);
      const lowered = key.toLowerCase();
      return setOf(asWritten.get(lowered)).union(setOf(folded.get(lowered)));
    },
  };
}

function setOf(names: Names | undefined): ReadonlySet<string> {
  if (names === undefined) return nobody;
  return typeof names === 'string' ? new Set([names]) : names;
}

/** Dots separate labels of a host name, but not of an address. */
export function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether two full names begin alike and go on in different domains: such names are of two machines. */
export function isOfOtherDomain(one: string, other: string): boolean {
  if (isAddress(one) || isAddress(other)) return false;
  const [a, b] = [one.toLowerCase().split('.'), other.toLowerCase().split('.')];
  if (a.length < 2 || b.length < 2 || a[0] !== b[0]) return false;
  return a.slice(0, b.length).some((label, at) => label !== b[at]);
}

/** `a.b.c` -> `a`, `a.b`: the shorter forms under which a host may be spoken of. */
function shorterForms(name: string): readonly string[] {
  if (isAddress(name)) return [];
  const forms: string[] = [];
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) forms.push(name.slice(0, dot));
  return forms;
}

/** One vocabulary of names (the nodes' own, or their aliases): exact, then short name and FQDN. */
function vocabulary(): NameIndex {
  const whole = nameIndex();
  const short = nameIndex();
  return {
    add(name, node) {
      whole.add(name, node);
      for (const form of shorterForms(name)) short.add(form, node);
    },
    find(name) {
      const exact = whole.find(name);
      if (exact.size > 0) return exact;
      const found = new Set(short.find(name));
      for (const form of shorterForms(name)) for (const node of whole.find(form)) found.add(node);
      return found;
    },
  };
}

/** Whether one name is the other, or the other without its end. */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || (b.includes('.') && a.startsWith(`${b}.`)) || b.startsWith(`${a}.`);
}

const suffix = /^(.+)_\d+$/;

/** Of one job every source asks, and every reckoning: a directory of 100,000 nodes takes a while to lay out. */
const laidOut = new WeakMap<readonly NodeIdentity[], NodeDirectory>();

/** The directory of a list of nodes, which does not change. */
export function nodeDirectory(identities: readonly NodeIdentity[]): NodeDirectory {
  const known = laidOut.get(identities);
  if (known !== undefined) return known;
  const directory = layOut(identities);
  laidOut.set(identities, directory);
  return directory;
}

/**
 * Joins by exact name, then short name and FQDN, then alias, then the dialect's suffix rule (`name` may stand for
 * `name_<digits>`). Two candidates at one step are ambiguous and join none. Case counts first, and is ignored where
 * nothing is spelled exactly so. A full name of another domain than that which the node's name or its aliases tell is
 * of another machine.
 */
function layOut(identities: readonly NodeIdentity[]): NodeDirectory {
  const own = vocabulary();
  const aliases = vocabulary();
  const cut = nameIndex();
  const names = new Set<string>();
  const full = new Map<string, string[]>();
  for (const { name, aliases: others } of identities) {
    if (name === '') continue;
    names.add(name);
    const known = [name, ...others].filter(each => each.includes('.') && !isAddress(each));
    if (known.length > 0) full.set(name, [...(full.get(name) ?? []), ...known]);
    own.add(name, name);
    for (const alias of others) if (alias !== '') aliases.add(alias, name);
    const stem = suffix.exec(name)?.[1];
    if (stem !== undefined) cut.add(stem, name);
  }
  const steps: readonly NameIndex[] = [own, aliases, cut];
  const isForeign = (raw: string, node: string): boolean => {
    const contrary = (full.get(node) ?? []).map(each => isOfOtherDomain(raw, each));
    return contrary.includes(true) && !(full.get(node) ?? []).some(each => isSameName(each, raw));
  };
  return {
    names: [...names],
    fullNames: node => full.get(node) ?? [],
    resolve(raw) {
      const name = raw.trim().replace(/\.$/, '');
      if (name === '') return none;
      if (names.has(name)) return { kind: 'one', node: name };
      for (const step of steps) {
        const [node, ...others] = [...step.find(name)].filter(found => !isForeign(name, found));
        if (node === undefined) continue;
        return others.length === 0
          ? { kind: 'one', node }
          : { kind: 'ambiguous', candidates: [node, ...others] };
      }
      return none;
    },
  };
}
