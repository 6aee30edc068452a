import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { shortfalls } from './evaluation/bars.ts';
import { type Evaluation, evaluateSeed } from './evaluation/evaluate-seed.ts';
import { fitConfidence } from './evaluation/fit-confidence.ts';
import { scoreFolders } from './evaluation/outside-cases.ts';
import { reportOf } from './evaluation/report.ts';
import { isRight } from './evaluation/score.ts';
import { writeCase } from './evaluation/write-case.ts';

/**
 * `make eval`: plays the incidents of a seed, writes the page for the fixed seed, and fails below the bars.
 * `--seed N` measures another seed and writes nothing; `--check` compares the page instead of writing it; `--fit` fits
 * confidence anew and writes it with its page; `--wrong` lists what was answered wrongly; `--play ID --to DIR` writes an incident as a case; `--cases DIR` scores folders from outside.
 */
const fixedSeed = '1';
const page = join(import.meta.dirname, '../docs/reference/evaluation.md');
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: fixedSeed },
    check: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    cases: { type: 'string' },
    play: { type: 'string' },
    to: { type: 'string' },
  },
});

const started = performance.now();
const problems = await run();
for (const problem of problems) console.log(`missed: ${problem}`);
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
if (problems.length > 0) process.exitCode = 1;

function run(): Promise<readonly string[]> {
  if (values.play !== undefined) return writeCase(values.play, values.to ?? values.play);
  if (values.fit) return fitConfidence();
  return values.cases === undefined ? measure() : scoreFolders(values.cases);
}

async function measure(): Promise<readonly string[]> {
  const evaluation = await evaluateSeed(values.seed);
  const report = reportOf(evaluation);
  if (values.wrong) printWrong(evaluation);
  if (values.seed !== fixedSeed) {
    console.log(report);
    return shortfalls(evaluation);
  }
  if (values.check) {
    return [...shortfalls(evaluation), ...driftFrom(readFileSync(page, 'utf8').split('\n'), report)];
  }
  writeFileSync(page, report);
  console.log(report);
  return shortfalls(evaluation);
}

function driftFrom(written: readonly string[], report: string): readonly string[] {
  const measured = report.split('\n').filter(line => !written.includes(line));
  if (measured.length === 0 && written.length === report.split('\n').length) return [];
  return [`${page} differs: run make eval`, ...measured.map(line => `measured now: ${line}`)];
}

function printWrong({ judged, large, printed }: Evaluation): void {
  for (const one of [...judged, large, ...printed]) {
    const { truth, answer, id, nodes } = one;
    const strangers = answer.named.filter(({ node }) => node !== truth.node).map(({ node }) => node);
    if (isRight(one) && strangers.length === 0) continue;
    const lost = [truth.culpritLogMissing ? 'log missing' : '', truth.provenLate ? 'proven late' : ''];
    const said = [...answer.named.map(({ node }) => node), ...(answer.wholeJob ? ['the job'] : [])].join(', ');
    console.log(
      `${id}: ${nodes} nodes, ${truth.kind}/${truth.family} ${truth.node ?? ''} ${lost.filter(word => word !== '').join(', ')} -> ${said === '' ? 'nothing' : said}`,
    );
  }
}
