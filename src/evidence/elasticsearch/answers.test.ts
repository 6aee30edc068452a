import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statusFailure } from '../http-client/failure.ts';
import { readBuckets, readFieldCaps, readHits, readTotal, windowLimit } from './answers.ts';
import { parseElasticsearchSettings } from './settings.ts';

const parsed = parseElasticsearchSettings({
  name: 'a',
  kind: 'elasticsearch',
  url: 'http://x',
  index: 'logs-*',
});
assert.ok(parsed.ok);
const content = {
  settings: parsed.settings,
  terms: { job: 'kernel' },
  nodeField: 'host.name',
  fileField: 'log.file.path',
};

test('a message and a file are found whether the dots of their names are levels or not', () => {
  const fields = { '@timestamp': ['2026-11-30T12:00:00.000000001Z'], 'host.name': ['node-01'] };
  for (const source of [
    { message: 'x', 'log.file.path': '/a' },
    { message: 'x', log: { file: { path: '/a' } } },
  ]) {
    const read = readHits({ hits: { hits: [{ _id: '1', _source: source, fields }] } }, content);
    assert.ok(read.ok);
    assert.deepEqual(read.value.streams, [
      {
        stream: 'logs-* job:"kernel" AND host.name:"node-01" AND log.file.path:"/a"',
        node: 'node-01',
        entries: [{ nanos: 1_796_040_000_000_000_001n, text: 'x', id: '1' }],
      },
    ]);
  }
});

test('only fields that can be counted by may name nodes', () => {
  const caps = (aggregatable: boolean) => ({ text: { type: 'text', searchable: true, aggregatable } });
  const read = readFieldCaps({ fields: { 'host.name': caps(false), 'host.name.keyword': caps(true) } });
  assert.deepEqual(read, { ok: true, value: ['host.name.keyword'] });
});

test('counts that leave nodes out are none', () => {
  const nodes = { sum_other_doc_count: 3, buckets: [{ key: 'node-01', doc_count: 2 }] };
  const read = readBuckets({ _shards: { failed: 0 }, aggregations: { nodes } });
  assert.ok(!read.ok && read.trouble.tooMuch === 'nodes');
});

test('the most documents of an answer are told by the refusal', () => {
  const body = 'Result window is too large, from + size must be less than or equal to: [10000] but was [20000]';
  assert.equal(windowLimit(statusFailure(400, body, null)), 10_000);
  assert.equal(windowLimit(statusFailure(400, 'other', null)), null);
});

test('whatever a server answers is an answer or a trouble, never an exception', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      hits: fc.record({ hits: fc.array(fc.anything()), total: fc.anything() }),
      aggregations: fc.anything(),
    }),
    fc.record({ aggregations: fc.record({ nodes: fc.record({ buckets: fc.array(fc.anything()) }) }) }),
    fc.record({ fields: fc.dictionary(fc.string(), fc.anything()) }),
  );
  fc.assert(
    fc.property(anything, answer => {
      for (const read of [
        readHits(answer, content),
        readBuckets(answer),
        readTotal(answer),
        readFieldCaps(answer),
      ]) {
        assert.equal(typeof read.ok, 'boolean');
      }
    }),
    { numRuns: 1000 },
  );
});

test('a search that was ended early, or that a cluster did not take part in, is partial', () => {
  const total = { hits: { total: { value: 3 }, hits: [] } };
  for (const more of [
    { terminated_early: true },
    { _clusters: { total: 2, successful: 1, skipped: 1 } },
    { _clusters: { total: 2, partial: 1 } },
  ]) {
    const told = readTotal({ ...total, ...more });
    assert.equal(told.ok ? 'complete' : told.trouble.status, 'truncated');
  }
  const whole = readTotal({ ...total, _clusters: { total: 2, successful: 2, skipped: 0 } });
  assert.equal(whole.ok && whole.value, 3);
});

test('counts of shards and clusters that are no numbers prove no whole answer', () => {
  const total = { hits: { total: { value: 3 }, hits: [] } };
  for (const count of [{ toString: {} }, 'one', [1]]) {
    for (const more of [
      { _shards: { total: count, successful: 1, failed: 0 } },
      { _clusters: { partial: count } },
    ]) {
      const told = readTotal({ ...total, ...more });
      assert.equal(told.ok ? 'complete' : told.trouble.status, 'truncated');
    }
  }
});
