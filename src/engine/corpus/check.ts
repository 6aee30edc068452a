import { checkInhibitions } from './check-inhibitions.ts';
import { type Corpus, placeOf } from './corpus.ts';
import { type CorpusProblem, problemAt, sortProblems } from './problem.ts';
import type { NearMiss, Rule, RuleExample } from './rule.ts';
import { type ExampleMatch, type ExampleRunner, exampleRunner } from './run-example.ts';

/** What became of one example of a rule. */
export interface CheckedExample {
  readonly rule: string;
  readonly kind: 'match' | 'no_match';
  /** Position among the rule's examples of this kind. */
  readonly index: number;
  readonly text: string;
  readonly problems: readonly CorpusProblem[];
}

/**
 * What `rules check` and the build say about a corpus that loads: examples run through all rules, near misses are near,
 * inhibitions name what exists, no two rules have one pattern.
 */
export function checkCorpus(corpus: Corpus): readonly CorpusProblem[] {
  return sortProblems([
    ...checkExamples(corpus).flatMap(({ problems }) => problems),
    ...checkInhibitions(corpus),
    ...checkDuplicates(corpus),
  ]);
}

/** Runs the examples of the rules through all rules of the corpus. */
export function checkExamples(
  corpus: Corpus,
  rules: readonly Rule[] = corpus.rules,
): readonly CheckedExample[] {
  const runner = exampleRunner(corpus);
  return rules.flatMap(rule => [
    ...rule.matches.map((example, index): CheckedExample => {
      const problems = checkExample(corpus, runner, rule, example, index);
      return { rule: rule.id, kind: 'match', index, text: example.text, problems };
    }),
    ...rule.nearMisses.map((miss, index): CheckedExample => {
      const problems = checkNearMiss(corpus, runner, rule, miss, index);
      return { rule: rule.id, kind: 'no_match', index, text: miss.text, problems };
    }),
  ]);
}

function checkExample(
  corpus: Corpus,
  runner: ExampleRunner,
  rule: Rule,
  example: RuleExample,
  index: number,
): readonly CorpusProblem[] {
  const place = placeOf(corpus, rule.id, `#match/${index}`);
  const name = `examples.match[${index}]`;
  const found = runner.run(rule, example.text, example.origin);
  const own = found.filter(match => match.rule === rule.id);
  const problems = checkOthers(rule, found, example.also).map(message =>
    problemAt(place, `${name}: ${message}`),
  );
  if (own.length === 0) {
    const why = isNear(rule, example.text) ? '' : `, which ${notNear(rule)}`;
    return [...problems, problemAt(place, `${name}: the rule does not match its own example${why}`)];
  }
  for (const [capture, wanted] of Object.entries(example.captures)) {
    const values = own.map(match => match.captures[capture]);
    if (values.includes(wanted)) continue;
    const got = values.find(value => value !== undefined);
    const said = got === undefined ? 'nothing' : `\`${got}\``;
    problems.push(problemAt(place, `${name}: captures ${said} as ${capture}, the example says \`${wanted}\``));
  }
  return problems;
}

function checkNearMiss(
  corpus: Corpus,
  runner: ExampleRunner,
  rule: Rule,
  miss: NearMiss,
  index: number,
): readonly CorpusProblem[] {
  const place = placeOf(corpus, rule.id, `#no_match/${index}`);
  const name = `examples.no_match[${index}]`;
  const found = runner.run(rule, miss.text, miss.origin);
  const messages = [...checkOthers(rule, found, miss.also)];
  if (found.some(match => match.rule === rule.id)) messages.push('the rule matches its own near miss');
  if (!isNear(rule, miss.text)) messages.push(`is not near: ${notNear(rule)}`);
  return messages.map(message => problemAt(place, `${name}: ${message}`));
}

/** Matches of other rules that the example does not declare, and declared ones that do not come. */
function checkOthers(rule: Rule, found: readonly ExampleMatch[], also: readonly string[]): string[] {
  const others = new Set(found.map(match => match.rule).filter(id => id !== rule.id));
  const undeclared = [...others].filter(id => !also.includes(id));
  const absent = also.filter(id => !others.has(id));
  return [
    ...undeclared.map(id => `rule ${id} matches too: narrow one of them, or say so in \`also\``),
    ...absent.map(id => `\`also\` names ${id}, which does not match`),
  ];
}

/** A near miss that no keyword chooses tests nothing but the gate. */
function isNear({ match }: Rule, text: string): boolean {
  if (match.kind === 'sample') return true;
  if (match.kind === 'state') return text.toLowerCase().startsWith(`${match.field.toLowerCase()}=`);
  const lower = text.toLowerCase();
  return match.keywords.some(keyword => lower.includes(keyword.toLowerCase()));
}

function notNear({ match }: Rule): string {
  if (match.kind === 'state') return `must begin with \`${match.field}=\``;
  return 'contains none of the keywords';
}

function checkDuplicates(corpus: Corpus): readonly CorpusProblem[] {
  const seen = new Map<string, string>();
  return corpus.rules.flatMap(rule => {
    const key = JSON.stringify(rule.match);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, rule.id);
      return [];
    }
    return [problemAt(placeOf(corpus, rule.id), `match: is the same as that of ${first}: keep one of them`)];
  });
}
