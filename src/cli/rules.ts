import { openCorpus } from '../app.ts';
import { checkCorpus } from '../engine/corpus/check.ts';

const ruleErrors = 3;

/** Checks every rule and its examples; prints all problems and ends with 3 where there is one. */
export async function checkRules(folder: string | undefined): Promise<number> {
  const corpus = await openCorpus(folder);
  const problems = checkCorpus(corpus);
  for (const { file, line, column, message } of problems) {
    process.stdout.write(`${file}:${line}:${column}: ${message}\n`);
  }
  process.stdout.write(`${corpus.rules.length} rules, ${problems.length} problems\n`);
  return problems.length === 0 ? 0 : ruleErrors;
}
