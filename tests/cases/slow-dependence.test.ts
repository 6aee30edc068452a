import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { type CaseFolder, readCaseFolder } from '../../src/cli/case-folder.ts';
import { openReplays, type Replays } from '../../src/cli/replay-case.ts';
import { type Corpus, removeRule } from '../../src/engine/corpus/corpus.ts';
import { silentLog } from '../support/silent-log.ts';

const root = join(import.meta.dirname, '../../cases');
/** The rule about a health check that alone decides the slow answer to a case. */
const decisive: Readonly<Record<string, string>> = {
  'epilog-agent-reports-a-lost-link': 'health/gpud-fabric',
  'epilog-diagnosis-isolates-a-gpu': 'health/dcgm-memory',
  'epilog-verdict-names-a-device': 'health/node-verdict-hardware',
};

let corpus: Corpus;
before(async () => {
  corpus = await openCorpus();
});

async function namedLate(folder: CaseFolder, replays: Replays): Promise<readonly unknown[]> {
  const { fast, slow } = await replays.replay(folder);
  assert.deepEqual(fast.attributions, [], 'the fast answer names nobody');
  assert.equal(slow?.error, null);
  return slow?.attributions.map(({ target }) => target) ?? [];
}

for (const [name, rule] of Object.entries(decisive)) {
  test(`${name}: the slow answer names its node by ${rule} alone`, async () => {
    const folder = await readCaseFolder(join(root, name));
    const open = (known: Corpus): Replays => {
      const replays = openReplays({ corpus: known, log: silentLog, packageVersion: '0.0.0', workers: 0 });
      after(() => replays.close());
      return replays;
    };
    const targets = folder.slow?.expected.targets ?? [];
    assert.ok(targets.length > 0);
    assert.deepEqual(await namedLate(folder, open(corpus)), targets);
    assert.deepEqual(await namedLate(folder, open(removeRule(corpus, rule))), []);
  });
}
