import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCorpus } from '../../src/app/engine.ts';
import { type CaseStep, readCaseFolder } from '../../src/cli/case-folder.ts';
import { openReplays } from '../../src/cli/replay-case.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import { answerOf } from './answer.ts';
import { levelOf, type Named } from './calibration.ts';

const root = join(import.meta.dirname, '../../cases');

/** The nodes that are named in the recorded cases, in the last answer to each. */
export async function measureCases(): Promise<readonly Named[]> {
  const replays = openReplays({
    corpus: await openCorpus(),
    log: silentLog,
    packageVersion: '0.0.0',
    workers: 2,
  });
  try {
    const named: Named[] = [];
    const names = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory());
    for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const folder = await readCaseFolder(join(root, name));
      const { fast, slow } = await replays.replay(folder);
      const answer = answerOf(slow ?? fast);
      const guilty = guiltyIn(folder.slow ?? folder.fast);
      named.push(
        ...answer.named.map(({ node, confidence }) => ({
          level: levelOf(confidence),
          right: guilty.has(node),
        })),
      );
    }
    return named;
  } finally {
    await replays.close();
  }
}

function guiltyIn({ expected }: CaseStep): ReadonlySet<string> {
  return new Set(expected.targets.flatMap(({ node }) => (node === undefined ? [] : [node])));
}
