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

/**
 * Joins by exact name, then short name and FQDN, then alias, then the dialect's suffix rule (`name` may stand for
 * `name_<digits>`). Two candidates at one step are ambiguous and join none.
 */
export declare function nodeDirectory(identities: readonly NodeIdentity[]): NodeDirectory;
