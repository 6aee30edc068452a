import type { LinearPattern } from '../../lines/linear-regex.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { Rule, StateMatch } from '../corpus/rule.ts';
import { compileChecked, compileTakingBack } from './compile.ts';
import { normalizeCaptures } from './devices.ts';

export interface CompiledStateRule {
  readonly index: number;
  readonly rule: Rule;
  readonly match: StateMatch;
  readonly pattern: LinearPattern | null;
  readonly isTakenBack: (value: string) => boolean;
}

/** What a state row is to its rules. */
export interface StateFact {
  readonly entity: 'job' | 'node' | 'check';
  readonly field: string;
  readonly value: string;
}

export function compileStateRules(corpus: Corpus): readonly CompiledStateRule[] {
  return corpus.rules.flatMap((rule, index) => {
    const { match } = rule;
    if (match.kind !== 'state') return [];
    const pattern = match.pattern === null ? null : compileChecked(rule, match.pattern, false);
    return [{ index, rule, match, pattern, isTakenBack: compileTakingBack(rule, match) }];
  });
}

/** Captures of a rule that fits a state (empty where it names words only), or null. */
export function matchState(
  { match, pattern, isTakenBack }: CompiledStateRule,
  fact: StateFact,
): Readonly<Record<string, string>> | null {
  if (match.entity !== fact.entity || match.field.toLowerCase() !== fact.field.toLowerCase()) return null;
  if (isTakenBack(fact.value)) return null;
  if (pattern !== null) {
    const found = pattern.exec(fact.value);
    return found === null ? null : normalizeCaptures(found.groups);
  }
  const words = wordsOf(fact.value);
  return match.values.some(value => words.includes(wordsOf(value))) ? {} : null;
}

/** Words in lower case, each between blanks: `DOWN*+DRAIN` is ` down drain `. */
function wordsOf(value: string): string {
  return ` ${value
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter(word => word !== '')
    .join(' ')} `;
}
