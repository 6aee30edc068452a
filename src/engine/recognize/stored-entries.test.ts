import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader, wholeBatch } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { gatheringsOver } from '../fold/gathering.ts';
import { createRecognizer } from './recognizer.ts';

const corpus = corpusOf(
  ruleFile('lost', {
    match: lineMatch({ keywords: ['has fallen off'], pattern: 'has fallen off' }),
    examples: anyExamples,
  }),
);
const query = '{job="kernel",host="node-01"}';
const noon = 1_796_126_400_000_000_001n;
const header = batchHeader({
  origin: 'kernel',
  format: 'auto',
  stream: query,
  firstLine: 7,
  entries: { query, stamps: BigInt64Array.of(noon, noon + 5n, noon + 9n) },
});

function hitOf(line: string) {
  const [hit] = createRecognizer(corpus).recognize(wholeBatch(`first\n${line}\nlast\n`, header), []);
  assert.ok(hit !== undefined);
  return hit;
}

test('the stamp that a store keeps of an entry dates its line to the nanosecond', () => {
  for (const line of [
    'NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.',
    '[12345.678901] NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.',
    'Nov 30 03:12:41 node-01 kernel: NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.',
  ]) {
    const { instant } = hitOf(line);
    assert.equal(instant.nanos, noon + 5n);
    assert.equal(instant.tick, noon + 5n);
    assert.equal(instant.basis, 'stamped');
  }
});

test('a whole stamp in the line is nearer to the fault than the one of whoever shipped it', () => {
  const line = '2026-11-30T12:03:41.500000+00:00 node-01 kernel: NVRM: GPU has fallen off the bus.';
  assert.equal(hitOf(line).instant.nanos, BigInt(Date.UTC(2026, 10, 30, 12, 3, 41, 500)) * 1_000_000n);
});

test('a reference quotes the query of the stream and the stamp that the store keeps', () => {
  const gathering = gatheringsOver(corpus)();
  gathering.addHits(header, [
    hitOf('2026-11-30T12:03:41.500000+00:00 node-01 kernel: GPU has fallen off the bus.'),
  ]);
  assert.deepEqual(gathering.symptoms()[0]?.observations[0]?.reference, {
    kind: 'query',
    query,
    stamp: String(noon + 5n),
  });
});
