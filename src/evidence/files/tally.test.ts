import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTally, type FileResult, proofOf } from './tally.ts';

const result = fc.record({
  origin: fc.constant('kernel' as const),
  node: fc.constantFrom('node-01', 'node-02', null),
  status: fc.constantFrom('unknown', 'complete', 'silent', 'truncated', 'failed', 'timed_out') as fc.Arbitrary<
    FileResult['status']
  >,
  reason: fc.constantFrom('a', 'b', null),
  lines: fc.nat(9),
  bytes: fc.nat(99),
  seen: fc.subarray(['node-03', 'node-04']),
});

function tell(results: readonly FileResult[]): unknown {
  const tally = createTally();
  for (const one of results) {
    tally.add(one);
    tally.remark('kernel', `${one.status} ${one.reason}`);
    tally.assume('kernel', one.status, `${one.reason} ${one.bytes}`);
  }
  const { byNode, seen, ...rest } = tally.of('kernel');
  return { ...rest, byNode: [...byNode].sort(), seen: [...seen].sort(), remarks: tally.remarks('kernel') };
}

test('what is told does not depend on which file was read first', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 12 }), results => {
      assert.deepEqual(tell(results), tell(results.toReversed()));
    }),
  );
});

test('trouble with one file of a node outweighs a complete one, and that a silent one', () => {
  const base = { origin: 'kernel', node: 'node-01', reason: null, lines: 1, bytes: 1, seen: [] } as const;
  const proof = (...statuses: FileResult['status'][]) => {
    const tally = createTally();
    for (const status of statuses) tally.add({ ...base, status });
    return tally.of('kernel').byNode.get('node-01')?.status;
  };
  assert.equal(proof('silent', 'complete'), 'complete');
  assert.equal(proof('unknown', 'silent'), 'unknown');
  assert.equal(proof('unknown', 'complete'), 'complete');
  assert.equal(proof('complete', 'truncated'), 'truncated');
  assert.equal(proof('timed_out', 'failed', 'complete'), 'failed');
  assert.equal(proof(), undefined);
});

test('complete needs the end and a line', () => {
  assert.equal(proofOf(null, 1).status, 'complete');
  assert.equal(proofOf(null, 0).status, 'silent');
  assert.deepEqual(proofOf({ status: 'truncated', reason: 'cap' }, 5), { status: 'truncated', reason: 'cap' });
});

test('remarks are bounded, and say how many were left out', () => {
  const tally = createTally();
  for (let n = 0; n < 50; n++) tally.remark('job', `remark ${n}`);
  assert.equal(tally.remarks('job').length, 21);
  assert.equal(tally.remarks('job').at(-1), '30 further remarks were left out');
});

test('files taken for the same are told in one sentence, three of them by name', () => {
  const tally = createTally();
  for (const path of ['d', 'b', 'a', 'c', 'e']) tally.assume('job', 'taken for job text by its name', path);
  tally.assume('kernel', 'taken for a kernel log by what it holds', 'k');
  assert.deepEqual(tally.remarks('job'), ['taken for job text by its name: a, b, c and 2 more']);
  assert.deepEqual(tally.remarks('kernel'), ['taken for a kernel log by what it holds: k']);
});
