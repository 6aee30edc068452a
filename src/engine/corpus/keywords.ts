import type { Rule } from './rule.ts';

/** A keyword of at least this many bytes holds an aligned 4-byte word whatever the alignment. */
export const minKeywordBytes = 7;
/** Below this a keyword chooses so many lines that it is no gate. */
export const minSharedKeywordBytes = 4;

export interface ShortKeyword {
  readonly rule: string;
  readonly index: number;
  readonly message: string;
}

/** Keywords too short to gate by themselves: each must be one that another rule has too. */
export function shortKeywords(rules: readonly Rule[]): readonly ShortKeyword[] {
  const users = new Map<string, Set<string>>();
  for (const { id, match } of rules) {
    if (match.kind !== 'line') continue;
    for (const keyword of match.keywords) {
      const key = keyword.toLowerCase();
      users.set(key, (users.get(key) ?? new Set()).add(id));
    }
  }
  return rules.flatMap(({ id, match }) => {
    if (match.kind !== 'line') return [];
    return match.keywords.flatMap((keyword, index) => {
      const shared = (users.get(keyword.toLowerCase())?.size ?? 0) > 1;
      const least = shared ? minSharedKeywordBytes : minKeywordBytes;
      if (keyword.length >= least) return [];
      const remedy = shared ? 'lengthen it' : 'lengthen it, or use a keyword that another rule has too';
      return [
        { rule: id, index, message: `\`${keyword}\` has ${keyword.length} bytes, needs ${least}: ${remedy}` },
      ];
    });
  });
}
