import { type CheckedExample, checkExamples } from '../../engine/corpus/check.ts';
import type { Corpus } from '../../engine/corpus/corpus.ts';
import type { Rule } from '../../engine/corpus/rule.ts';
import { placeProblems } from '../../providers/rules/layer-corpus.ts';
import type { GlobalOptions } from '../command.ts';
import { junitText } from './junit.ts';
import { formOf, ruleErrors, rulesInForce, unknownRule } from './rules-in-force.ts';

/** Runs the examples of the rules named, or of all, through all rules; ends with 3 where one fails. */
export async function testRules(
  ids: readonly string[],
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = formOf(options['output'], ['table', 'json', 'junit']);
  const { corpus, folderOf } = await rulesInForce(options, globals);
  const examples = checkExamples(corpus, rulesNamed(corpus, ids, options)).map(example => ({
    ...example,
    problems: placeProblems(example.problems, folderOf),
  }));
  if (form === 'json') process.stdout.write(`${JSON.stringify({ examples })}\n`);
  else if (form === 'junit') process.stdout.write(junitText('rules test', examples.map(testCase)));
  else process.stdout.write(tableText(examples));
  return examples.every(({ problems }) => problems.length === 0) ? 0 : ruleErrors;
}

function rulesNamed(
  corpus: Corpus,
  ids: readonly string[],
  options: Readonly<Record<string, unknown>>,
): readonly Rule[] {
  if (ids.length === 0) return corpus.rules;
  const unknown = ids.filter(id => !corpus.rules.some(rule => rule.id === id));
  if (unknown.length > 0) throw unknownRule(`there is no rule ${unknown.join(', ')}`, options);
  return corpus.rules.filter(({ id }) => ids.includes(id));
}

const nameOf = ({ kind, index }: CheckedExample): string => `examples.${kind}[${index}]`;

function testCase(example: CheckedExample) {
  return {
    group: example.rule,
    name: nameOf(example),
    failures: example.problems.map(
      ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
    ),
  };
}

/** A line a rule, and one for each example that fails. */
function tableText(examples: readonly CheckedExample[]): string {
  const byRule = Map.groupBy(examples, ({ rule }) => rule);
  const lines = [...byRule].flatMap(([rule, ofRule]) => {
    const failed = ofRule.filter(({ problems }) => problems.length > 0);
    const verdict = failed.length === 0 ? 'ok      ' : 'FAILED  ';
    const details = failed.flatMap(({ problems }) =>
      problems.map(({ file, line, column, message }) => `          ${file}:${line}:${column}: ${message}`),
    );
    return [`${verdict}${rule}  ${ofRule.length} examples`, ...details];
  });
  const failed = examples.filter(({ problems }) => problems.length > 0).length;
  return `${[...lines, `${examples.length} examples of ${byRule.size} rules, ${failed} failed`].join('\n')}\n`;
}
