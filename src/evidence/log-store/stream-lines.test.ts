import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LineBatch } from '../../core/batch.ts';
import { bufferPool } from '../buffers.ts';
import { gatherStreams, linesOf, streamBatches } from './stream-lines.ts';

const header = {
  source: 'store',
  origin: 'kernel',
  format: 'auto',
  node: 'node-01',
  dating: { zone: 'UTC', zoneAssumed: true, year: 2026, bootNanos: null },
} as const;

async function batchesOf(
  lines: readonly string[],
  stamps: readonly bigint[],
  format = 'auto',
): Promise<readonly LineBatch[]> {
  const batches: LineBatch[] = [];
  const stream = { stream: '{a="b"}', node: null, lines: [...lines], stamps: [...stamps] };
  for await (const batch of streamBatches(stream, { ...header, format }, bufferPool())) batches.push(batch);
  return batches;
}

function textOf({ bytes, ownFrom, ownTo }: LineBatch): string {
  return Buffer.from(bytes).toString('utf8', ownFrom, ownTo);
}

test('a stream longer than a batch is cut, each line with its stamp, what is repeated included', async () => {
  const count = 60_000;
  const lines = Array.from({ length: count }, (_, index) => `line ${index} ${'x'.repeat(40)}`);
  const batches = await batchesOf(
    lines,
    lines.map((_, index) => BigInt(index)),
  );
  assert.ok(batches.length > 2);
  assert.equal(batches.map(textOf).join(''), `${lines.join('\n')}\n`);
  for (const { header: own, bytes, length } of batches) {
    const shown = Buffer.from(bytes).toString('utf8', 0, length).split('\n');
    for (const [index, line] of shown.slice(0, -1).entries()) {
      assert.equal(own.entries?.stamps[index], BigInt(line.split(' ')[1] ?? ''));
      assert.equal(own.firstLine + index, Number(line.split(' ')[1]) + 1);
    }
  }
});

test('stamps do not share memory with those of other batches', async () => {
  const lines = Array.from({ length: 60_000 }, () => 'x'.repeat(50));
  const [first] = await batchesOf(
    lines,
    lines.map(() => 1n),
  );
  const stamps = first?.header.entries?.stamps;
  assert.equal(stamps?.buffer.byteLength, stamps?.byteLength);
});

test('journal entries as they are exported are decoded, but never in job text', async () => {
  const entry =
    '{"__REALTIME_TIMESTAMP":"1796126400000000","_HOSTNAME":"node-01","_TRANSPORT":"kernel","MESSAGE":"NVRM: x"}';
  const [decoded] = await batchesOf([entry, '{"no": "entry"}'], [1n, 2n]);
  assert.ok(decoded !== undefined);
  const [first, second] = textOf(decoded).split('\n');
  assert.match(first ?? '', /^\S+ node-01 kernel: NVRM: x$/);
  assert.equal(second, '{"no": "entry"}');
  const [raw] = await batchesOf([entry], [1n], 'job');
  assert.equal(raw === undefined ? '' : textOf(raw), `${entry}\n`);
});

test('parts of a stream are put together in the order given', () => {
  const part = (stream: string, stamp: bigint, line: string) => ({
    stream,
    node: null,
    stamps: [stamp],
    lines: [line],
  });
  const streams = gatherStreams([part('a', 1n, 'one'), part('b', 1n, 'x'), part('a', 2n, 'two')]);
  assert.deepEqual(
    streams.map(({ stream, lines }) => [stream, lines]),
    [
      ['a', ['one', 'two']],
      ['b', ['x']],
    ],
  );
});

test('the lines of an entry are its text, without one line end at its end', () => {
  assert.deepEqual(linesOf('a\nb\r\n'), ['a', 'b']);
  assert.deepEqual(linesOf(''), ['']);
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[^\n\r]*$/), { minLength: 1 }), lines => {
      assert.deepEqual(linesOf(`${lines.join('\n')}\n`), lines);
    }),
  );
});
