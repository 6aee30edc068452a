import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openCorpus } from '../src/app/engine.ts';
import type { CorpusFile } from './recognition/corpus-file.ts';
import { openEngine } from './recognition/measure-engine.ts';

/**
 * Logs of which every line holds a keyword, and most match a rule: what a broken driver or a chatty program writes.
 * Fails where one is read slower than 100 MB/s by two workers; every rule in turns is only shown, since in so short a log
 * most of them do not reach their cap. The arguments are the megabytes of each log and the least speed.
 */
const megabytes = Number(process.argv[2] ?? 100);
const leastSpeed = Number(process.argv[3] ?? 100);
const rounds = 3;
const corpus = await openCorpus();
const folder = resolve(import.meta.dirname, '../.cache/bench');
mkdirSync(folder, { recursive: true });

type Line = (index: number) => string;

const stamp = (index: number): string =>
  new Date(Date.UTC(2026, 2, 2, 10) + index).toISOString().replace('Z', '000+00:00');

const floods: readonly (readonly [string, CorpusFile['origin'], Line])[] = [
  [
    'one Xid',
    'kernel',
    index =>
      `[${100 + index / 1000}] NVRM: Xid (PCI:0000:b3:00): 31, pid=${index}, name=python3, Ch 00000001, intr 00000000. MMU Fault: ENGINE GRAPHICS`,
  ],
  [
    'every Xid',
    'kernel',
    index =>
      `${stamp(index)} node-01 kernel: NVRM: Xid (PCI:0000:${((index % 8) + 16).toString(16)}:00): ${(index % 170) + 1}, pid=${index}, name=python3, Ch 00000001`,
  ],
  [
    'time-outs of collectives',
    'job',
    index =>
      `[rank${index % 1024}]:[E302 12:03:41.${String(index % 1_000_000).padStart(6, '0')} ProcessGroupNCCL.cpp:616] [Rank ${index % 1024}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${index}, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.`,
  ],
  [
    'training steps',
    'job',
    index =>
      ` [2026-03-02 10:00:00] iteration ${String(index).padStart(8)}/  500000 | consumed samples: ${index * 512} | elapsed time per iteration (ms): 812.4 | learning rate: 1.2E-04 | global batch size:  512 | lm loss: 2.113E+00 | loss scale: 1.0 | grad norm: 0.412 | number of skipped iterations:   0 | number of nan iterations:   0 |`,
  ],
  ['exceptions', 'job', index => `${index % 64}: RuntimeError: shard ${index} of 4096 has no such tensor`],
  [
    'corrected errors',
    'kernel',
    index =>
      `${stamp(index)} node-01 kernel: pcieport 0000:00:03.0: AER: Corrected error received: 0000:00:0${index % 8}.0`,
  ],
];
const shown: typeof floods = [
  ['every example of every rule', 'kernel', exampleLines('kernel')],
  ['every example of every rule', 'job', exampleLines('job')],
];

const engine = openEngine(corpus, 2);
for (const [title, origin, line] of [...floods, ...shown]) {
  const file = written(title, origin, line);
  const bytes = statSync(file.path).size;
  let seconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round += 1) seconds = Math.min(seconds, await engine.run([file]));
  const speed = bytes / 1e6 / seconds;
  console.log(`${speed.toFixed(0).padStart(6)} MB/s   ${title} (${origin}), ${(bytes / 1e6).toFixed(0)} MB`);
  if (speed < leastSpeed && !shown.some(([name]) => name === title)) {
    console.log(`missed: ${title} is read at ${speed.toFixed(0)} MB/s`);
    process.exitCode = 1;
  }
}
await engine.close();

/** Lines that rules match and lines that they nearly match, in turns. */
function exampleLines(origin: CorpusFile['origin']): Line {
  const texts = corpus.rules.flatMap(({ match, matches, nearMisses }) =>
    match.kind === 'line' && match.origins.includes(origin)
      ? [...matches, ...nearMisses].flatMap(({ text }) => text.split('\n'))
      : [],
  );
  return index => texts[index % texts.length] ?? '';
}

function written(title: string, origin: CorpusFile['origin'], line: Line): CorpusFile {
  const path = join(folder, `flood-${title.replaceAll(' ', '-')}-${origin}-${megabytes}.log`);
  if (existsSync(path)) return { path, origin };
  const blocks: string[] = [];
  for (let index = 0, bytes = 0; bytes < megabytes * 1e6; ) {
    let block = '';
    for (let inBlock = 0; inBlock < 2000; inBlock += 1) block += `${line(index++)}\n`;
    blocks.push(block);
    bytes += block.length;
  }
  writeFileSync(path, blocks.join(''));
  return { path, origin };
}
