import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, rolesOf } from '../../../tests/support/reasoning.ts';
import { coverage, nodesNamed, symptom, traceback } from '../../../tests/support/symptoms.ts';

const nodes = nodesNamed(8);
const down = (node: string, at: number, rest = {}) =>
  symptom({ symptom: 'link-down', node, at, strength: 'S3', category: 'network_fabric', ...rest });
const three = nodes.slice(0, 3).map(node => down(node, -20));

test('the threshold is a setting', () => {
  const full = nodes
    .slice(0, 3)
    .map(node => down(node, -20, { symptom: 'disk-full', category: 'storage_local' }));
  assert.deepEqual(answer(full, { nodes }).targets, ['job']);
  const loose = answer(full, { nodes, settings: { sharedCauseNodes: 4 } });
  assert.deepEqual(loose.targets, nodes.slice(0, 3));
});

test('the finding says why no node is named, and cites each', () => {
  const [finding] = answer(three, { nodes }).findings;
  assert.deepEqual(
    finding?.evidence.flatMap(({ kind, node }) => (kind === 'kernel_log' ? [node] : [])),
    ['node-01', 'node-02', 'node-03'],
  );
  assert.ok(finding?.evidence.some(({ message }) => message.includes('the same on 3 nodes')));
});

test('ports of two nodes that fail at one moment, as clocks differ, are no fault of either', () => {
  for (const at of [-20, -300]) {
    const { targets, told } = answer([down('node-01', at), down('node-02', -20)], { nodes });
    assert.deepEqual([targets, told], [[], ['node-01', 'node-02']]);
  }
  assert.deepEqual(answer([down('node-01', -400), down('node-02', -20)], { nodes }).targets, ['node-01']);
  const full = ['node-01', 'node-02'].map(node => down(node, -20, { category: 'storage_local' }));
  assert.deepEqual(answer(full, { nodes }).targets, ['node-01', 'node-02']);
});

test('consequences count among the nodes that show it', () => {
  const root = symptom({
    symptom: 'nic-dead',
    node: 'node-08',
    at: -15,
    strength: 'S3',
    category: 'network_fabric',
    inhibits: [{ symptoms: ['link-down'], scope: 'job', withinSeconds: 60 }],
  });
  const result = answer([down('node-01', -30), down('node-02', -10), down('node-03', -10), root], { nodes });
  assert.deepEqual(rolesOf(result.symptoms, 'link-down'), ['cascade', 'initiating']);
  assert.deepEqual(result.targets, ['job']);
});

test('what only job text says of many nodes blames no devices, and a set-up only where nodes were read', () => {
  const text = (node: string, category: 'accelerator_memory' | 'node_configuration') =>
    down(node, -20, { symptom: 'printed', origin: 'job', category, strength: 'S2' });
  const of = (category: 'accelerator_memory' | 'node_configuration') =>
    nodes.slice(0, 3).map(node => text(node, category));
  assert.deepEqual(answer(of('accelerator_memory'), { nodes }).targets, []);
  assert.deepEqual(answer(of('node_configuration'), { nodes }).targets, ['job']);
  assert.deepEqual(answer(of('node_configuration'), { nodes, coverage: [coverage('job', '')] }).targets, []);
});

test('an application error that clearly came first is the cause instead', () => {
  const result = answer([...three, traceback(-300)], { nodes });
  assert.deepEqual(result.categories, ['application_error']);
  const after = answer([...three, traceback(-10)], { nodes });
  assert.deepEqual(after.categories, ['network_fabric']);
});

test('what only the clock of its node sets aside counts as well, within what clocks differ', () => {
  const pair = nodes.slice(0, 2);
  const targets = (at: number) =>
    answer([down('node-01', -20), down('node-02', at)], { nodes: pair, jobEnd: 0 }).targets;
  assert.deepEqual(targets(270), ['job'], 'after the end');
  assert.deepEqual(targets(330), ['node-01'], 'further off than clocks are');
});
