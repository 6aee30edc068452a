import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { type Random, randomOf } from '../../bench/incidents/random.ts';
import { type CaseFolder, readCaseFolder } from '../../src/cli/case-folder.ts';
import type { Replay, ReplayReading, Replays } from '../../src/cli/replay-case.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { addNoise } from '../support/metamorphic/add-noise.ts';
import { readCaseText, withCase } from '../support/metamorphic/case-text.ts';
import { caseFolders, isWhole, openSharedReplays, seed } from '../support/metamorphic/program.ts';
import { shuffleBatches } from '../support/metamorphic/shuffle-batches.ts';

const kibibyte = 1024;
const pools: readonly (readonly [number, Replays])[] = [
  [1, await openSharedReplays(1)],
  [2, await openSharedReplays(2)],
  [4, await openSharedReplays(4)],
];
after(() => Promise.all(pools.map(([, replays]) => replays.close())));

/** How one run recognises and reads. */
interface Way {
  readonly workers: number;
  readonly readBytes: number;
  readonly batchBytes: number;
  readonly lanes: number;
  readonly order: 'as read' | 'shuffled';
}

const ways: readonly Way[] = pools.flatMap(([workers]) =>
  [4, 16, 64, 256, 1024, 4096].flatMap(read =>
    [128, 256, 512, 1024].flatMap(batch =>
      (['as read', 'shuffled'] as const).map(order => ({
        workers,
        readBytes: read * kibibyte,
        batchBytes: batch * kibibyte,
        lanes: 1 + ((read + batch) % 7),
        order,
      })),
    ),
  ),
);

/** Runs of each case as it is, and with so much noise that its files fill several batches. */
const runs = isWhole ? { plain: 40, noisy: 10 } : { plain: 3, noisy: 0 };

for (const [at, path] of caseFolders.entries()) {
  const name = basename(path);
  const random = randomOf(`${seed}/same-bytes/${name}`);

  test(`${name} is answered the same, byte for byte, however it is read`, async () => {
    await compareRuns(await readCaseFolder(path), random, runs.plain);
    const noisy = isWhole || at % 8 === 0 ? Math.max(runs.noisy, 2) : 0;
    if (noisy === 0) return;
    const text = addNoise(await readCaseText(path), random.fork('noise'));
    await withCase(text, folder => compareRuns(folder, random.fork('noisy'), noisy));
  });
}

test('ways of reading differ in everything that may differ', () => {
  assert.equal(ways.length, 144);
  assert.ok(ways.every(({ batchBytes }) => batchBytes > defaultFilesSettings.cut.pieceBytes));
});

async function compareRuns(folder: CaseFolder, random: Random, count: number): Promise<void> {
  const expected = outcomeText(await replaysWith(1).replay(folder, { session: true }));
  for (const way of random.some(ways, count)) {
    const got = outcomeText(await replaysWith(way.workers).replay(folder, readingBy(way, random)));
    assert.equal(got, expected, `seed ${seed}: ${JSON.stringify(way)}`);
  }
}

function replaysWith(workers: number): Replays {
  const found = pools.find(([count]) => count === workers);
  assert.ok(found !== undefined);
  return found[1];
}

function readingBy({ readBytes, batchBytes, lanes, order }: Way, random: Random): ReplayReading {
  return {
    session: true,
    files: { readBytes, lanes, cut: { ...defaultFilesSettings.cut, ownBytes: batchBytes } },
    ...(order === 'shuffled' ? { batches: source => shuffleBatches(source, random.fork('order')) } : {}),
  };
}

/** Answers and all that is kept of them, symptoms with their reasons and coverage included, without ids. */
function outcomeText(replay: Replay): string {
  const ids = new Set(['requestId', 'attributionSessionId', 'sessionId']);
  const { kept } = replay;
  assert.ok(kept !== null, 'the session was not saved');
  const whole = { ...replay, kept: { ...kept, id: '' } };
  return JSON.stringify(
    whole,
    (key, value: unknown) => (ids.has(key) ? undefined : typeof value === 'bigint' ? String(value) : value),
    1,
  );
}
