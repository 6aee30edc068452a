import { checkCorpus } from '../../engine/corpus/check.ts';
import type { CorpusProblem } from '../../engine/corpus/problem.ts';
import { type LayeredResult, placeProblems } from '../../providers/rules/layer-corpus.ts';
import { shippedRulesDirectory } from '../../providers/rules/read-corpus-files.ts';
import type { GlobalOptions } from '../command.ts';
import { junitText, type TestCase } from './junit.ts';
import { notesOnRules } from './rule-notes.ts';
import { formOf, readRules, ruleErrors } from './rules-in-force.ts';

/** Checks every rule and its examples; prints all problems and ends with 3 where there is one. */
export async function checkRules(
  folders: readonly string[],
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = formOf(options['output'], ['table', 'json', 'junit']);
  const read = await readRules(folders, options['alone'] === true, globals);
  const checked = problemsOf(read);
  if (form === 'json') process.stdout.write(`${JSON.stringify(checked)}\n`);
  else if (form === 'junit') process.stdout.write(junitText('rules check', testCases(read, checked.problems)));
  else process.stdout.write(tableText(checked));
  return checked.problems.length === 0 ? 0 : ruleErrors;
}

interface Checked {
  /** Null where they do not even load. */
  readonly rules: number | null;
  readonly problems: readonly CorpusProblem[];
  /** What is not wrong and may still surprise. */
  readonly notes: readonly CorpusProblem[];
}

function problemsOf(read: LayeredResult): Checked {
  if (!read.ok) return { rules: null, problems: read.problems, notes: [] };
  const { corpus, folderOf } = read.layered;
  return {
    rules: corpus.rules.length,
    problems: placeProblems(checkCorpus(corpus), folderOf),
    notes: notesOnRules(read.layered, shippedRulesDirectory()),
  };
}

function tableText({ rules, problems, notes }: Checked): string {
  const lineOf = ({ file, line, column, message }: CorpusProblem, kind = ''): string =>
    `${file}:${line}:${column}: ${kind}${message}\n`;
  const lines = [...problems.map(problem => lineOf(problem)), ...notes.map(each => lineOf(each, 'note: '))];
  const count = rules === null ? 'the rules do not load' : counted(rules, 'rule');
  return `${lines.join('')}${count}, ${counted(problems.length, 'problem')}\n`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** One a file: of those that are wrong, and where the rules load of all. */
function testCases(read: LayeredResult, problems: readonly CorpusProblem[]): readonly TestCase[] {
  const files = new Map<string, string[]>();
  if (read.ok) for (const [path, folder] of read.layered.folderOf) files.set(`${folder}/${path}`, []);
  for (const { file, line, column, message } of problems) {
    const known = files.get(file) ?? [];
    files.set(file, [...known, `${file}:${line}:${column}: ${message}`]);
  }
  return [...files].map(([file, failures]) => ({ group: 'rules', name: file, failures }));
}
