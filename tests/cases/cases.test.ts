import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { copyVariant, readCaseFolder, removeCopy } from '../../src/cli/case-folder.ts';
import { compareExpected } from '../../src/cli/compare-expected.ts';
import { openReplays } from '../../src/cli/replay-case.ts';
import { silentLog } from '../support/silent-log.ts';

const root = join(import.meta.dirname, '../../cases');
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);
const replays = openReplays({
  corpus: await openCorpus(),
  log: silentLog,
  packageVersion: '0.0.0',
  workers: 2,
});
after(() => replays.close());
/** Read before any test is told of: a run of few tests ends, and the pool with it, while the rest are still read. */
const folders = await Promise.all(
  names.map(async name => [name, await readCaseFolder(join(root, name))] as const),
);

for (const [name, folder] of folders) {
  test(`${name} is answered as expected`, async () => {
    const { fast, slow, explained } = await replays.replay(folder);
    assert.deepEqual(compareExpected(fast, folder.fast.expected, explained.fast), []);
    if (slow !== null && folder.slow !== null)
      assert.deepEqual(compareExpected(slow, folder.slow.expected, explained.slow), []);
  });

  for (const variant of folder.variants) {
    test(`${name}, ${variant.name}, is answered as expected`, async () => {
      const copy = await copyVariant(folder, variant);
      try {
        const changed = await readCaseFolder(copy);
        const { fast, slow, explained } = await replays.replay(changed);
        assert.deepEqual(compareExpected(fast, changed.fast.expected, explained.fast), []);
        if (slow !== null && changed.slow !== null) {
          assert.deepEqual(compareExpected(slow, changed.slow.expected, explained.slow), []);
        }
      } finally {
        await removeCopy(copy);
      }
    });
  }

  test(`${name} holds a temptation`, () => {
    assert.ok(folder.fast.expected.mustNotName.length > 0);
    if (name.startsWith('healthy-')) assert.deepEqual(folder.fast.expected.targets, []);
  });
}
