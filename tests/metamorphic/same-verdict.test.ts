import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { type Random, randomOf } from '../../bench/incidents/random.ts';
import { copyVariant, readCaseFolder, removeCopy } from '../../src/cli/case-folder.ts';
import type { Replay } from '../../src/cli/replay-case.ts';
import { addNoise, countLines } from '../support/metamorphic/add-noise.ts';
import { type CaseText, readCaseText } from '../support/metamorphic/case-text.ts';
import { changeZone, fixedZones } from '../support/metamorphic/change-zone.ts';
import { duplicateLines, repeatStretches } from '../support/metamorphic/duplicate-lines.ts';
import {
  answerText,
  caseFolders,
  isWhole,
  openSharedReplays,
  seed,
  timesOf,
  type Verdict,
  verdictsOf,
} from '../support/metamorphic/program.ts';
import { otherNames, renameHosts } from '../support/metamorphic/rename-hosts.ts';
import { shuffleBatches } from '../support/metamorphic/shuffle-batches.ts';

const year = 2026;
const replays = await openSharedReplays(2);
after(() => replays.close());

type Check = (text: CaseText, base: Replay, random: Random) => Promise<void>;

/** What may be done to a recorded failure without changing whom it blames. */
const checks: Readonly<Record<string, Check>> = {
  async 'batches come in another order'(text, base, random) {
    const batches = (source: Parameters<typeof shuffleBatches>[0]) => shuffleBatches(source, random);
    const got = await answerText(replays, text, { batches });
    assert.deepEqual([verdictsOf(got), timesOf(got)], [verdictsOf(base), timesOf(base)]);
  },
  async 'lines come twice'(text, base, random) {
    const twice = duplicateLines(text);
    assert.equal(countLines(twice), 2 * countLines(text));
    assert.deepEqual(verdictsOf(await answerText(replays, twice)), verdictsOf(base));
    const again = repeatStretches(text, random);
    assert.deepEqual(verdictsOf(await answerText(replays, again)), verdictsOf(base));
  },
  async 'there is ten times the noise'(text, base, random) {
    const noisy = addNoise(text, random);
    assert.ok(countLines(noisy) > 8 * countLines(text));
    assert.deepEqual(verdictsOf(await answerText(replays, noisy)), verdictsOf(base));
  },
  async 'hosts have other names'(text, base) {
    const names = otherNames(text);
    const renamed = renameHosts(text, names);
    assert.ok(![...renamed].flat().some(content => [...names.keys()].some(name => content.includes(name))));
    const wanted = verdictsOf(base).map(verdict => renamedIn(verdict, names));
    assert.deepEqual(verdictsOf(await answerText(replays, renamed)), wanted);
  },
  async 'clocks show the time of another zone'(text, base) {
    for (const zone of fixedZones) {
      const moved = changeZone(text, zone, year);
      assert.ok(moved.get('request.json')?.includes(zone.offset) === true);
      const got = await answerText(replays, moved, { files: { timezone: zone.name } });
      assert.deepEqual([verdictsOf(got), timesOf(got)], [verdictsOf(base), timesOf(base)], zone.name);
    }
  },
};

/** Read before any test is told of: a run of few tests ends, and the pool with it, while the rest are still read. */
const folders = await Promise.all(caseFolders.map(readCaseFolder));

for (const folder of folders) {
  const { path } = folder;
  const name = basename(path);

  test(`${name} is answered the same however it is told`, async () => {
    const text = await readCaseText(path);
    const base = await answerText(replays, text);
    for (const [what, check] of Object.entries(checks)) {
      await told(what, check(text, base, randomOf(`${seed}/${name}/${what}`)));
    }
  });

  const random = randomOf(`${seed}/${name}`);
  const variants = isWhole ? folder.variants : random.some(folder.variants, 1);
  for (const variant of variants) {
    test(`${name}, ${variant.name}, is answered the same however it is told`, async () => {
      const copy = await copyVariant(folder, variant);
      try {
        const text = await readCaseText(copy);
        const base = await answerText(replays, text);
        for (const [what, check] of isWhole ? Object.entries(checks) : [random.pick(Object.entries(checks))]) {
          await told(what, check(text, base, random.fork(what)));
        }
      } finally {
        await removeCopy(copy);
      }
    });
  }
}

/** Says of a failure what was done to the case, and by which seed. */
async function told(what: string, check: Promise<void>): Promise<void> {
  await check.catch((error: unknown) => {
    throw new Error(`seed ${seed}: when ${what}`, { cause: error });
  });
}

function renamedIn({ blamed, error }: Verdict, names: ReadonlyMap<string, string>): Verdict {
  const renamed = blamed.map(each => each.replace(/^node-\d+/, name => names.get(name) ?? name));
  return { blamed: renamed.sort(), error };
}
