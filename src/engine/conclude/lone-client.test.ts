import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { coverage, nodesNamed, symptom } from '../../../tests/support/symptoms.ts';

const nodes = nodesNamed(4);
const evicted = symptom({
  symptom: 'evicted',
  node: 'node-02',
  at: -20,
  strength: 'S3',
  category: 'storage_shared',
});
const targetsWhereRead = (read: string) =>
  answer([evicted], { nodes, coverage: [coverage('kernel', read)] }).targets;

test('a node that alone was turned away is named where most of the others were read', () => {
  assert.deepEqual(targetsWhereRead('node-[01-04]'), ['node-02']);
  assert.deepEqual(targetsWhereRead('node-[01-03]'), ['node-02']);
});

test('it is told but not named where the others were not read', () => {
  assert.deepEqual(targetsWhereRead('node-[01-02]'), []);
  assert.deepEqual(targetsWhereRead('node-02'), []);
  const { told } = answer([evicted], { nodes, coverage: [coverage('kernel', 'node-02')] });
  assert.deepEqual(told, ['node-02']);
});

test('other faults need no comparison', () => {
  const down = { ...evicted, symptom: 'link-down', category: 'network_fabric' as const };
  assert.deepEqual(answer([down], { nodes, coverage: [coverage('kernel', 'node-02')] }).targets, ['node-02']);
});

test('what two nodes of two share is told of the job, and of neither node', () => {
  const both = ['node-01', 'node-02'].map(node => ({ ...evicted, id: `evicted ${node}`, node }));
  const { targets, told } = answer(both, {
    nodes: nodesNamed(2),
    coverage: [coverage('kernel', 'node-[01-02]')],
  });
  assert.deepEqual([targets, told], [['job'], []]);
});
