import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleOutcome } from '../../tests/support/sample-session.ts';
import { readOutcome } from './read-outcome.ts';

const evidence = { kind: 'note', source: 'module', message: 'why' };
const finding = { target: { type: 'Node', node: 'node-01' }, category: 'pcie', evidence: [evidence] };

function problemOf(change: object): string {
  const read = readOutcome({ coverage: [], findings: [{ ...finding, ...change }] });
  return read.ok ? 'none' : read.problem;
}

test('an outcome of our own passes as it is', () => {
  const outcome = sampleOutcome();
  assert.deepEqual(readOutcome(outcome), { ok: true, outcome });
});

test('what can be empty may be left out', () => {
  const read = readOutcome({ coverage: [], findings: [finding] });
  assert.ok(read.ok);
  assert.deepEqual(read.outcome.unattributed, []);
  assert.equal(read.outcome.problem, null);
  assert.equal(read.outcome.findings[0]?.confidence, null);
});

test('times come as nanoseconds, dates or datetimes with an offset', () => {
  for (const observedAt of [
    1_788_955_200_000_000_000n,
    new Date('2026-09-09T12:00:00Z'),
    '2026-09-09T14:00:00+02:00',
  ]) {
    const read = readOutcome({ coverage: [], findings: [{ ...finding, observedAt }] });
    assert.equal(read.ok && read.outcome.findings[0]?.observedAt, 1_788_955_200_000_000_000n);
  }
});

test('each mistake is told by its place', () => {
  assert.match(
    problemOf({ observedAt: '2026-09-09T12:00:00' }),
    /^outcome\.findings\[0\]\.observedAt is no time/,
  );
  assert.match(problemOf({ observedAt: 10n ** 30n }), /observedAt is no time/);
  assert.match(problemOf({ observedAt: new Date(Number.NaN) }), /observedAt is no time/);
  assert.match(problemOf({ confidence: 2 }), /confidence is no number from 0 to 1/);
  assert.match(problemOf({ confidence: Number.NaN }), /confidence is no number from 0 to 1/);
  assert.match(problemOf({ evidence: [] }), /evidence is empty: a finding cites its evidence$/);
  assert.match(problemOf({ evidence: undefined }), /evidence is no list$/);
  assert.match(problemOf({ category: 'gremlins' }), /category is none of accelerator_gpu, /);
  assert.match(problemOf({ target: { type: 'Node', node: '' } }), /target\.node is empty$/);
  assert.match(problemOf({ target: { type: 'Rack' } }), /target\.type is none of Node, AllJobResources$/);
  assert.match(
    problemOf({ evidence: [{ ...evidence, message: 'x'.repeat(70_000) }] }),
    /message is longer than/,
  );
});

test('whatever the value, reading it answers', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), value => {
      const read = readOutcome(value);
      assert.equal(typeof (read.ok ? read.outcome : read.problem), read.ok ? 'object' : 'string');
    }),
  );
});
