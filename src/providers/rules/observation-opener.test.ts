import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderObservation } from '../../contract/dialect/index.ts';
import { observationOpener } from './observation-opener.ts';

const encode = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

function observation(lines: readonly string[]): Uint8Array {
  const streams = ['dmesg', 'train.py'].map(app => ({
    labels: { app, hostname: 'nöde-01', odd: 'x' },
    stamps: lines.map((_, at) => BigInt(at)),
    lines,
  }));
  return encode(renderObservation({ from: 1_000n, to: 2_000n }, streams));
}

test('an observation is taken apart the same way here and on the other thread', async context => {
  const [here, there] = [observationOpener(), observationOpener(0)];
  context.after(() => Promise.all([here.close(), there.close()]));
  for (const bytes of [
    observation(['one', 'zwölf', '', '{"MESSAGE":"three"}']),
    observation([]),
    encode({ body: [7, { values: [] }] }),
    encode([]),
    new TextEncoder().encode('{"body":'),
  ]) {
    for (const trust of ['kernel', 'job'] as const) {
      assert.deepEqual(await there.open(bytes, trust), await here.open(bytes, trust));
    }
  }
  const opened = await there.open(observation(['one', 'zwölf']), 'kernel');
  assert.deepEqual(
    opened?.streams.map(({ origin, labels, isNumbered, lines }) => [origin, labels['odd'], isNumbered, lines]),
    [
      ['kernel', undefined, true, { from: 0, to: 2 }],
      ['job', undefined, true, { from: 2, to: 4 }],
    ],
  );
  assert.equal(new TextDecoder().decode(opened?.text), 'one\nzwölf\none\nzwölf\n');
  assert.deepEqual(opened?.stamps, BigInt64Array.of(0n, 1n, 0n, 1n));
});

test('a thread that ended fails what it was asked, and the next is asked of another', async context => {
  const opener = observationOpener(0);
  context.after(() => opener.close());
  const lost = opener.open(observation(['one']), 'kernel');
  await Promise.all([opener.close(), assert.rejects(lost, /ended/)]);
  assert.equal((await opener.open(observation(['one']), 'kernel'))?.streams.length, 2);
});
