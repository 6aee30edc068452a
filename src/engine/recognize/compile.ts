import { compilePattern, type LinearPattern } from '../../lines/linear-regex.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { LineMatch, Rule, StateMatch, ThenMatch } from '../corpus/rule.ts';
import { sayings } from '../corpus/sayings.ts';
import type { Origin } from '../corpus/vocabulary.ts';
import { buildGate, type Gate } from '../gate/gate.ts';
import type { Frequencies } from '../gate/words.ts';
import { batchCap } from './caps.ts';

export interface CompiledThen {
  readonly match: ThenMatch;
  readonly pattern: LinearPattern;
}

export interface CompiledLineRule {
  /** Position of the rule in the corpus: what hits carry instead of its id. */
  readonly index: number;
  readonly rule: Rule;
  readonly match: LineMatch;
  readonly pattern: LinearPattern;
  /** Whether a line that the pattern matches is none of the rule's, for what else it says. */
  readonly isTakenBack: (text: string) => boolean;
  readonly further: readonly CompiledThen[];
  readonly cap: number;
}

/** The line rules that look at one origin, behind their common gate. */
export interface OriginRules {
  readonly rules: readonly CompiledLineRule[];
  /** Of each rule, the hits wanted of one batch. */
  readonly caps: Int32Array;
  readonly keywords: readonly string[];
  readonly gate: Gate;
  /** Of each keyword, positions in `rules`. */
  readonly rulesOfKeyword: readonly (readonly number[])[];
}

/**
 * The line rules of a corpus that has been checked; a pattern that does not compile is a bug. Each pattern is compiled when
 * a keyword first asks for it: of hundreds, the logs of one failure ask for a few.
 */
export function compileLineRules(corpus: Corpus): readonly CompiledLineRule[] {
  return corpus.rules.flatMap((rule, index) => {
    const { match } = rule;
    if (match.kind !== 'line') return [];
    const pattern = once(() => compileChecked(rule, match.pattern, match.ignoreCase));
    const takingBack = once(() => compileTakingBack(rule, match));
    const further = match.further.map(each => {
      const own = once(() => compileChecked(rule, each.pattern, each.ignoreCase));
      return {
        match: each,
        get pattern() {
          return own();
        },
      };
    });
    return [
      {
        index,
        rule,
        match,
        get pattern() {
          return pattern();
        },
        get isTakenBack() {
          return takingBack();
        },
        further,
        cap: batchCap(rule),
      },
    ];
  });
}

/** Whether what matched is none of the rule's: it says what it must not, or not what it must. */
export function compileTakingBack(
  rule: Rule,
  { unless, says, unlessSays }: LineMatch | StateMatch,
): (text: string) => boolean {
  const compile = (pattern: string): LinearPattern => compileChecked(rule, pattern, false);
  const wanted = says.map(name => compile(sayings[name]));
  const refused = [...(unless === null ? [] : [unless]), ...unlessSays.map(name => sayings[name])].map(compile);
  return text => refused.some(each => each.test(text)) || !wanted.every(each => each.test(text));
}

/** Those of the rules that look at one origin. */
export function originRules(compiled: readonly CompiledLineRule[], origin: Origin): OriginRules {
  const rules = compiled.filter(({ match }) => match.origins.includes(origin));
  const users = new Map<string, number[]>();
  for (const [position, { match }] of rules.entries()) {
    for (const keyword of match.keywords) {
      const key = keyword.toLowerCase();
      users.set(key, [...(users.get(key) ?? []), position]);
    }
  }
  const keywords = [...users.keys()];
  const caps = Int32Array.from(rules, ({ cap }) => cap);
  return { rules, caps, keywords, gate: buildGate(keywords), rulesOfKeyword: [...users.values()] };
}

/** The same rules behind a gate that suits the text better; hits stay the same. */
export function tuneGate(origin: OriginRules, frequencies: Frequencies): OriginRules {
  return { ...origin, gate: buildGate(origin.keywords, frequencies) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function compileChecked(rule: Rule, source: string, ignoreCase: boolean): LinearPattern {
  const compiled = compilePattern(source, { ignoreCase });
  if (compiled.ok) return compiled.pattern;
  throw new Error(
    `rule ${rule.id} passed its checks with a pattern that does not compile: ${compiled.message}`,
  );
}
