import { createHash } from 'node:crypto';
import type { Catalogues } from './catalogue.ts';
import type { Rule } from './rule.ts';

/** SHA-256 of everything that decides answers, in hex: keys sorted, so that neither order nor formatting counts. */
export function hashCorpus(rules: readonly Rule[], catalogues: Catalogues): string {
  return createHash('sha256').update(canonical({ rules, catalogues })).digest('hex');
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
