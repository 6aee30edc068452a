import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { nodesNamed, type SymptomSpec, symptom, xid } from '../../../tests/support/symptoms.ts';

const nodes = nodesNamed(8);
const lost = (node: string, at: number, rest: Partial<SymptomSpec> = {}) =>
  symptom({
    symptom: 'job-node-fail',
    node,
    at,
    origin: 'scheduler',
    category: 'node_lost',
    clock: 'slurmctld',
    ...rest,
  });
const setDown = (list: string, at: number) =>
  symptom({
    symptom: 'nodes-down',
    at,
    origin: 'scheduler',
    strength: 'S4',
    blames: 'nobody',
    category: 'node_lost',
    clock: 'slurmctld',
    captures: { nodes: list },
  });

test('a node that a scheduler lost together with many others is not at fault by itself', () => {
  assert.deepEqual(answer([lost('node-01', -10), setDown('node-[01-04]', -10)], { nodes }).targets, ['job']);
  assert.deepEqual(answer([lost('node-01', -10), setDown('node-01,other-[1-5]', -10)], { nodes }).targets, [
    'job',
  ]);
  const each = ['node-01', 'node-02', 'node-03'].map(node => lost(node, -10));
  assert.deepEqual(answer(each, { nodes }).targets, ['job']);
  const byOtherWords = each.map((loss, at) => ({ ...loss, symptom: `loss-${at}` }));
  assert.deepEqual(answer(byOtherWords, { nodes }).targets, ['job']);
});

test('two of eight nodes, or others that were lost at another time, excuse none', () => {
  assert.deepEqual(answer([lost('node-01', -10), lost('node-02', -10)], { nodes }).targets, [
    'node-01',
    'node-02',
  ]);
  assert.deepEqual(answer([lost('node-01', -10), setDown('node-[01-02]', -10)], { nodes }).targets, [
    'node-01',
  ]);
  assert.deepEqual(answer([lost('node-01', -10), setDown('node-[05-08]', -10)], { nodes }).targets, [
    'node-01',
  ]);
  assert.deepEqual(answer([lost('node-01', -10), setDown('node-[01-04]', -400)], { nodes }).targets, [
    'node-01',
  ]);
});

test('a node whose own log shows a fault before is named', () => {
  const broken = xid(79, 'node-02', -60);
  const each = ['node-01', 'node-02', 'node-03'].map(node => lost(node, -10));
  assert.deepEqual(answer([broken, ...each], { nodes }).targets, ['node-02']);
});
