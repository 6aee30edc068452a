import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openCorpus } from '../src/app/engine.ts';
import { compileLineRules, originRules } from '../src/engine/recognize/compile.ts';
import type { CorpusFile } from './recognition/corpus-file.ts';
import { countKeywordLines, openEngine } from './recognition/measure-engine.ts';
import { countLines, grep, ripgrep, type Searched } from './recognition/measure-search.ts';
import { writeMixedLogs } from './recognition/mixed-logs.ts';
import { gatherVariedText } from './recognition/varied-text.ts';

/**
 * Recognition with the whole corpus against programs that only look for its keywords, in turns, page cache warm. The
 * best of the rounds counts. Fails where the engine and ripgrep disagree about the lines that hold a keyword, or the
 * engine is below 1.5 times ripgrep with as many threads.
 */
const { values } = parseArgs({
  options: {
    'mixed-mb': { type: 'string', default: '1000' },
    'varied-mb': { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    'least-ratio': { type: 'string', default: '1.5' },
  },
});
const filesEach = 8;
const leastRatio = Number(values['least-ratio']);
const cache = resolve(import.meta.dirname, '../.cache/bench');
const corpus = await openCorpus();
const problems: string[] = [];

if (!has('rg') || !has('grep')) throw new Error('needs ripgrep and grep: apt-get install ripgrep grep');
await compare(
  'generated logs, one line of 10,000 holds a keyword',
  'mixed',
  values['mixed-mb'],
  writeMixedLogs,
);
await compare("text of Debian's packages and node_modules", 'varied', values['varied-mb'], gatherVariedText);
for (const problem of problems) console.log(`missed: ${problem}`);
if (problems.length > 0) process.exitCode = 1;

type Make = (folder: string, bytes: number, files: number) => readonly CorpusFile[];

async function compare(title: string, name: string, megabytes: string, make: Make): Promise<void> {
  const files = prepared(`${name}-${megabytes}`, folder => make(folder, Number(megabytes) * 1e6, filesEach));
  const bytes = files.reduce((sum, { path }) => sum + statSync(path).size, 0);
  const lines = (await countLines(files)).count;
  console.log(`\n${title}: ${(bytes / 1e6).toFixed(0)} MB, ${lines} lines, ${files.length} files`);

  const counted = await countKeywordLines(corpus, files);
  const one = openEngine(corpus, 1);
  const two = openEngine(corpus, 2);
  const contestants: readonly Contestant[] = [
    { name: 'wc -l', run: async () => (await countLines(files)).seconds },
    { name: 'grep -F -i', run: () => overOrigins(files, grep) },
    { name: 'rg -F -i -j1', run: () => overOrigins(files, (keywords, some) => ripgrep(keywords, some, 1)) },
    { name: 'rg -F -i -j2', run: () => overOrigins(files, (keywords, some) => ripgrep(keywords, some, 2)) },
    { name: 'engine, 1 worker', run: () => one.run(files) },
    { name: 'engine, 2 workers', run: () => two.run(files) },
  ];
  const best = await bestOfRounds(contestants, Number(values.rounds));
  await Promise.all([one.close(), two.close()]);
  const speedOf = (contestant: string): number => bytes / 1e6 / (best.get(contestant) ?? Number.NaN);
  for (const contestant of contestants) {
    const speed = speedOf(contestant.name);
    const ratios = ['rg -F -i -j1', 'rg -F -i -j2'].map(rival => (speed / speedOf(rival)).toFixed(2));
    console.log(
      `  ${contestant.name.padEnd(18)} ${speed.toFixed(0).padStart(6)} MB/s   ${ratios[0]} x rg -j1   ${ratios[1]} x rg -j2`,
    );
  }
  for (const [engine, rival] of [
    ['engine, 1 worker', 'rg -F -i -j1'],
    ['engine, 2 workers', 'rg -F -i -j2'],
  ] as const) {
    const ratio = speedOf(engine) / speedOf(rival);
    if (ratio < leastRatio) problems.push(`${title}: ${engine} is ${ratio.toFixed(2)} times ${rival}`);
  }
  const found = await total(files, (keywords, some) => ripgrep(keywords, some, 2));
  console.log(`  lines with a keyword: engine ${counted}, rg ${found}`);
  if (counted !== found)
    problems.push(`${title}: the engine sees ${counted} lines with a keyword, rg ${found}`);
}

interface Contestant {
  readonly name: string;
  run(): Promise<number>;
}

/** Everybody once a round, so that what else the machine does meets all alike; the first round only warms. */
async function bestOfRounds(
  contestants: readonly Contestant[],
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const best = new Map<string, number>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of contestants) {
      const seconds = await run();
      if (round > 0) best.set(name, Math.min(seconds, best.get(name) ?? Number.POSITIVE_INFINITY));
    }
  }
  return best;
}

type Search = (keywords: string, files: readonly CorpusFile[]) => Promise<Searched>;

/** Seconds of one call an origin, each with the keywords that the engine has for it. */
async function overOrigins(files: readonly CorpusFile[], search: Search): Promise<number> {
  let seconds = 0;
  for (const [keywords, some] of byKeywords(files)) seconds += (await search(keywords, some)).seconds;
  return seconds;
}

async function total(files: readonly CorpusFile[], search: Search): Promise<number> {
  let count = 0;
  for (const [keywords, some] of byKeywords(files)) count += (await search(keywords, some)).count;
  return count;
}

function byKeywords(files: readonly CorpusFile[]): readonly (readonly [string, readonly CorpusFile[]])[] {
  const compiled = compileLineRules(corpus);
  return (['kernel', 'job'] as const).flatMap(origin => {
    const some = files.filter(file => file.origin === origin);
    if (some.length === 0) return [];
    const path = join(cache, `keywords-${origin}.txt`);
    writeFileSync(path, `${originRules(compiled, origin).keywords.join('\n')}\n`);
    return [[path, some] as const];
  });
}

/** Files made once and kept; their list is written last, so that a broken-off making starts anew. */
function prepared(name: string, make: (folder: string) => readonly CorpusFile[]): readonly CorpusFile[] {
  const folder = join(cache, name);
  const list = join(folder, 'files.json');
  if (existsSync(list)) return JSON.parse(readFileSync(list, 'utf8')) as readonly CorpusFile[];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = make(folder);
  writeFileSync(list, JSON.stringify(files));
  return files;
}

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
