import type { CatalogueName } from '../../engine/corpus/catalogue.ts';
import type { Corpus } from '../../engine/corpus/corpus.ts';
import type { CatalogueRow, LineMatch, Rule, SampleMatch, StateMatch } from '../../engine/corpus/rule.ts';
import { sayings } from '../../engine/corpus/sayings.ts';
import { namingOf } from './naming.ts';

/** What a reader wants to know of a rule, in words. */
export interface RuleFacts {
  readonly id: string;
  readonly title: string;
  /** Whom it may name, and when. */
  readonly says: string;
  readonly status: string;
  readonly strength: string;
  readonly role: string;
  readonly category: string;
  readonly symptom: string;
  /** What it looks at. */
  readonly reads: string;
  /** The patterns, each with the condition under which its line counts. */
  readonly patterns: readonly { readonly of: string; readonly pattern: string }[];
  /** Further conditions, a sentence each. */
  readonly conditions: readonly string[];
  /** What follows from it, a sentence for each reach. */
  readonly explains: readonly string[];
  /** Rules and codes that it follows from. */
  readonly followsFrom: readonly string[];
  readonly caution: string;
  readonly references: readonly string[];
  readonly matches: readonly string[];
  readonly nearMisses: readonly { readonly text: string; readonly because: string }[];
}

export function factsOfRule(corpus: Corpus, rule: Rule): RuleFacts {
  return {
    id: rule.id,
    title: rule.title,
    says:
      rule.catalogue === null
        ? namingOf(rule)
        : `means what its code means: see the catalogue ${rule.catalogue}`,
    status: rule.status,
    strength: rule.strength,
    role: rule.role,
    category: rule.category,
    symptom: rule.symptom,
    reads: readsOf(rule.match),
    patterns: patternsOf(rule.match),
    conditions: conditionsOf(rule),
    explains: explainsOf(rule),
    followsFrom: causesOf(corpus, [rule.symptom]),
    caution: rule.caution,
    references: rule.references,
    matches: rule.matches.map(({ text }) => text),
    nearMisses: rule.nearMisses.map(({ text, because }) => ({ text, because })),
  };
}

/** What a reader wants to know of a code, in words. */
export interface CodeFacts {
  readonly code: string;
  readonly title: string;
  readonly says: string;
  readonly status: string;
  readonly strength: string;
  readonly role: string;
  readonly category: string;
  readonly symptom: string;
  /** Rules that read codes of this catalogue. */
  readonly readBy: readonly string[];
  readonly explains: readonly string[];
  readonly followsFrom: readonly string[];
  readonly caution: string | null;
}

export function factsOfCode(corpus: Corpus, catalogue: CatalogueName, row: CatalogueRow): CodeFacts {
  const { code, title, status, strength, role, category, symptom, caution } = row;
  return {
    code,
    title,
    says: namingOf(row),
    status,
    strength,
    role,
    category,
    symptom,
    readBy: corpus.rules.filter(rule => rule.catalogue === catalogue).map(({ id }) => id),
    explains: explainsOf(row),
    followsFrom: causesOf(corpus, [symptom, code]),
    caution,
  };
}

const quoted = (texts: readonly string[]): string => texts.map(text => `"${text}"`).join(' or ');

function readsOf(match: Rule['match']): string {
  if (match.kind === 'line') return `${match.origins.join(', ')} lines that hold ${quoted(match.keywords)}`;
  if (match.kind === 'state') return stateText(match);
  return `metric ${match.metrics.join(' or ')}: ${sampleText(match)}`;
}

function stateText({ entity, field, values, pattern }: StateMatch): string {
  const wanted = pattern === null ? `is ${values.join(' or ')}` : 'matches';
  return `state of a ${entity}: ${field} ${wanted}`;
}

function sampleText({ changed, to, increasedBy, above, below, awayFromMedianBy }: SampleMatch): string {
  if (changed) return `changed${to.length > 0 ? ` to ${to.join(' or ')}` : ''}`;
  if (increasedBy !== null) return `increased by ${increasedBy} or more`;
  if (above !== null) return `above ${above}`;
  if (below !== null) return `below ${below}`;
  return `away from the median of the job's nodes by ${awayFromMedianBy}`;
}

function patternsOf(match: Rule['match']): RuleFacts['patterns'] {
  if (match.kind === 'line') return linePatterns(match);
  if (match.kind !== 'state' || match.pattern === null) return [];
  return [{ of: 'value', pattern: match.pattern }, ...unlessOf(match, 'value')];
}

function unlessOf(match: LineMatch | StateMatch, of: 'line' | 'value'): RuleFacts['patterns'] {
  const { unless, says, unlessSays } = match;
  return [
    ...(unless === null ? [] : [{ of: `${of} that takes the match back`, pattern: unless }]),
    ...says.map(name => ({ of: `${of} that has to say ${name} as well`, pattern: sayings[name] })),
    ...unlessSays.map(name => ({ of: `${of} that takes the match back: ${name}`, pattern: sayings[name] })),
  ];
}

function linePatterns(match: LineMatch): RuleFacts['patterns'] {
  const { pattern, ignoreCase, further } = match;
  const caseText = (ignores: boolean): string => (ignores ? ', in any case' : '');
  return [
    { of: `line${caseText(ignoreCase)}`, pattern },
    ...unlessOf(match, 'line'),
    ...further.map(each => {
      const reach = each.lines === null ? `${each.seconds} s` : `${each.lines} lines`;
      const side = each.direction === 'forward' ? 'after' : 'before';
      const same = each.same === null ? '' : `, of the same ${each.same}`;
      return {
        of: `${each.absent ? 'line that must not be there' : 'then'} within ${reach} ${side} it${same}${caseText(each.ignoreCase)}`,
        pattern: each.pattern,
      };
    }),
  ];
}

function conditionsOf({ count, keepEnds, lasts }: Rule): readonly string[] {
  return [
    ...(count === null
      ? []
      : [`counts from ${count.atLeast} hits within ${count.withinSeconds} s on one ${count.by}`]),
    ...(keepEnds ? ['keeps its first and last hit only'] : []),
    ...(lasts ? ['counts also where it began before the job'] : []),
  ];
}

function explainsOf({ inhibits }: Pick<Rule, 'inhibits'>): readonly string[] {
  return inhibits.map(
    ({ symptoms, scope, withinSeconds }) =>
      `${symptoms.join(', ')} on the same ${scope}, up to ${withinSeconds} s later`,
  );
}

function causesOf(corpus: Corpus, names: readonly string[]): readonly string[] {
  const { xid, sxid, nvlink } = corpus.catalogues;
  const named = [
    ...corpus.rules.map(({ id, inhibits }) => ({ name: id, inhibits })),
    ...[...xid, ...sxid, ...nvlink].map(({ code, inhibits }) => ({ name: code, inhibits })),
  ];
  return named
    .filter(({ inhibits }) => inhibits.some(({ symptoms }) => symptoms.some(each => names.includes(each))))
    .map(({ name }) => name);
}
