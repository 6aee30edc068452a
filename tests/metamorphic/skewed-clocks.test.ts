import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { randomOf } from '../../bench/incidents/random.ts';
import { nodeOfFile, readCaseText } from '../support/metamorphic/case-text.ts';
import {
  answerText,
  caseFolders,
  isWhole,
  namedNodes,
  openSharedReplays,
  seed,
  verdictsOf,
} from '../support/metamorphic/program.ts';
import { skewClock } from '../support/metamorphic/skew-clock.ts';

const year = 2026;
const seconds = 300;
/** Of the nodes nobody blames so many are tried where not all are. */
const bystanders = 2;
const leastUnchanged = 0.8;
const replays = await openSharedReplays(2);
after(() => replays.close());

const changed = new Map<string, readonly string[]>();

for (const path of caseFolders) {
  const name = basename(path);

  test(`${name}: a clock five minutes wrong on one node never accuses another`, async () => {
    const text = await readCaseText(path);
    const base = await answerText(replays, text);
    const named = namedNodes(base);
    const nodes = [...new Set([...text.keys()].flatMap(file => nodeOfFile(file) ?? []))];
    const others = nodes.filter(node => !named.includes(node));
    const tried = isWhole
      ? nodes
      : [
          ...nodes.filter(node => named.includes(node)),
          ...randomOf(`${seed}/skew/${name}`).some(others, bystanders),
        ];
    const wanted = JSON.stringify(verdictsOf(base));
    const otherwise: string[] = [];
    for (const node of tried) {
      for (const by of [seconds, -seconds]) {
        const skewed = skewClock(text, node, by, year);
        assert.notDeepEqual(skewed, text, `nothing of ${node} bears a stamp`);
        const got = await answerText(replays, skewed);
        const unchanged = JSON.stringify(verdictsOf(got)) === wanted;
        const foreign = namedNodes(got).filter(other => !named.includes(other));
        assert.deepEqual(foreign, [], `seed ${seed}: the clock of ${node} is ${by} s wrong`);
        if (!unchanged) otherwise.push(`${node} ${by} s: ${JSON.stringify(verdictsOf(got))}`);
      }
    }
    changed.set(name, otherwise);
  });
}

test('a clock five minutes wrong on any one node leaves at least 80 % of the verdicts as they are', t => {
  assert.equal(changed.size, caseFolders.length);
  const otherwise = [...changed].filter(([, runs]) => runs.length > 0);
  const share = 1 - otherwise.length / changed.size;
  t.diagnostic(`${changed.size - otherwise.length} of ${changed.size} cases are answered the same`);
  assert.ok(share >= leastUnchanged, `${share}: ${otherwise.map(([name]) => name).join(', ')}`);
});
