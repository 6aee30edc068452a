import type { NodeIdentity } from '../core/ports.ts';

export type NodeMatch =
  | { readonly kind: 'one'; readonly node: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'none' };

/** Joins names found in evidence to the nodes of a job. */
export interface NodeDirectory {
  readonly names: readonly string[];
  resolve(raw: string): NodeMatch;
}

const none: NodeMatch = { kind: 'none' };
const nobody: ReadonlySet<string> = new Set();

/** Names by key, as written and folded to lower case; nodes that share a key stay side by side. */
interface NameIndex {
  add(key: string, node: string): void;
  /** By the key as written, else without case. */
  find(key: string): ReadonlySet<string>;
}

function nameIndex(): NameIndex {
  const asWritten = new Map<string, Set<string>>();
  const folded = new Map<string, Set<string>>();
  const put = (map: Map<string, Set<string>>, key: string, node: string): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, new Set([node]));
    else known.add(node);
  };
  return {
    add(key, node) {
      put(asWritten, key, node);
      put(folded, key.toLowerCase(), node);
    },
    find: key => asWritten.get(key) ?? folded.get(key.toLowerCase()) ?? nobody,
  };
}

/** Dots separate labels of a host name, but not of an address. */
export function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
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

const suffix = /^(.+)_\d+$/;

/**
 * Joins by exact name, then short name and FQDN, then alias, then the dialect's suffix rule (`name` may stand for
 * `name_<digits>`). Two candidates at one step are ambiguous and join none. Case counts first, and is ignored where
 * nothing is spelled exactly so.
 */
export function nodeDirectory(identities: readonly NodeIdentity[]): NodeDirectory {
  const own = vocabulary();
  const aliases = vocabulary();
  const cut = nameIndex();
  const names = new Set<string>();
  for (const { name, aliases: others } of identities) {
    if (name === '') continue;
    names.add(name);
    own.add(name, name);
    for (const alias of others) if (alias !== '') aliases.add(alias, name);
    const stem = suffix.exec(name)?.[1];
    if (stem !== undefined) cut.add(stem, name);
  }
  const steps: readonly NameIndex[] = [own, aliases, cut];
  return {
    names: [...names],
    resolve(raw) {
      const name = raw.trim().replace(/\.$/, '');
      if (name === '') return none;
      if (names.has(name)) return { kind: 'one', node: name };
      for (const step of steps) {
        const [node, ...others] = step.find(name);
        if (node === undefined) continue;
        return others.length === 0
          ? { kind: 'one', node }
          : { kind: 'ambiguous', candidates: [node, ...others] };
      }
      return none;
    },
  };
}
