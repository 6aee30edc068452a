import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { nodesNamed, xid } from '../../../tests/support/symptoms.ts';

test('the limit is a setting, and the job is blamed in its place', () => {
  const nodes = nodesNamed(6);
  const broken = nodes.slice(0, 3).map(node => xid(79, node, -10));
  assert.equal(answer(broken, { nodes }).findings.length, 3);
  const guarded = answer(broken, { nodes, settings: { maxNamedNodes: 2 } });
  assert.deepEqual([guarded.targets, guarded.categories], [['job'], ['accelerator_gpu']]);
  assert.deepEqual(guarded.told, []);
});
