import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverage } from '../../tests/support/symptoms.ts';
import { nodeStatuses, readNodeLocal } from './node-coverage.ts';

test('read means read to the end for a node, by something local to it', () => {
  assert.equal(readNodeLocal([coverage('job', 'node-01'), coverage('kernel', 'node-01', 'truncated')]), false);
  assert.equal(readNodeLocal([coverage('kernel', '')]), false);
  assert.equal(readNodeLocal([coverage('job', ''), coverage('exporter', 'node-01')]), true);
});

test('a node has every status that some source of the origin proved', () => {
  const kernel = nodeStatuses(
    [coverage('kernel', 'node-[01-03]'), coverage('kernel', 'node-02', 'failed'), coverage('job', 'node-04')],
    'kernel',
  );
  assert.deepEqual([...kernel.of('node-01')], ['complete']);
  assert.deepEqual([...kernel.of('node-02')], ['complete', 'failed']);
  assert.deepEqual([...kernel.of('node-04')], []);
});
