import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, rolesOf } from '../../../tests/support/reasoning.ts';
import { coverage, symptom, traceback, xid } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';

const illegal = (at: number, rest = {}) => ({
  ...traceback(at, { symptom: 'illegal-access', strength: 'S4', ...rest } as Parameters<typeof traceback>[1]),
  rule: 'cuda/illegal-memory-access',
});

test('the first of several application errors is the cause, the rest follow', () => {
  const oom = { ...traceback(-100, { category: 'application_oom' }), symptom: 'out-of-memory', id: 'oom' };
  const result = answer([oom, traceback(-20)]);
  assert.deepEqual(result.categories, ['application_oom']);
  assert.deepEqual(rolesOf(result.symptoms, 'traceback'), ['cascade']);
});

test('of one event the more specific error tells', () => {
  const oom = { ...traceback(-19, { category: 'application_oom' }), symptom: 'out-of-memory', id: 'oom' };
  assert.deepEqual(answer([oom, traceback(-20)]).categories, ['application_oom']);
});

test('a decisive application error needs no other source', () => {
  const result = answer([traceback(-10)], { coverage: [coverage('job', '')] });
  assert.deepEqual(result.targets, ['job']);
  assert.equal(result.problem, null);
});

test('an ambiguous error before hardware of another node leaves both undecided', () => {
  const result = answer([illegal(-200), xid(79, 'node-02', -10)]);
  assert.deepEqual(result.targets, []);
  assert.deepEqual(result.told, ['node-02']);
});

test('an ambiguous error that no rank of its node tells of decides nothing beside hardware', () => {
  const page = symptom({
    symptom: 'gpu-page-fault',
    node: 'node-03',
    at: -400,
    strength: 'S4',
    blames: 'job',
    category: 'application_error',
  });
  const fault = { ...page, rule: 'gpu/xid' };
  const broken = xid(79, 'node-02', -10);
  const lost = traceback(-8, { strength: 'S5', blames: 'nobody', rank: 9 });
  assert.deepEqual(answer([fault, broken, lost]).targets, ['node-02']);
  assert.deepEqual(answer([fault, broken]).targets, [], 'the job was not heard');
  assert.deepEqual(answer([fault, broken, { ...illegal(-399), node: 'node-03' }]).targets, []);
  assert.deepEqual(answer([fault, lost]).targets, ['job']);
});

test('an ambiguous error before hardware of its own node was made by it', () => {
  const result = answer([{ ...illegal(-200), node: 'node-02' }, xid(79, 'node-02', -10)]);
  assert.deepEqual(result.targets, ['node-02']);
});

test('what a program alone does on several nodes, at no known time, is neither caused by one node nor excuses it', () => {
  const missing = (node: string) => ({
    ...traceback(-10, { basis: 'file_order', plusMinusMs: 60_000 }),
    symptom: 'shape-mismatch',
    id: `missing-${node}`,
    node,
  });
  const port = symptom({
    symptom: 'link-down',
    node: 'node-02',
    at: -20,
    strength: 'S2',
    category: 'network_fabric',
  });
  const result = answer([missing('node-01'), missing('node-02'), port]);
  assert.deepEqual(result.targets, []);
  assert.deepEqual(result.told, ['node-02']);
  assert.deepEqual(answer([missing('node-02'), port]).targets, ['node-02'], 'one node alone');
});

test('a fault that was long over when the program failed did not make it fail', () => {
  const missing = { ...traceback(-10), symptom: 'shape-mismatch' };
  const targets = (fault: Symptom, told: Symptom) => answer([fault, told], { window: [-10_800, 120] }).targets;
  assert.deepEqual(targets(xid(79, 'node-02', -7_200), missing), ['job']);
  assert.deepEqual(targets(xid(79, 'node-02', -1_800), missing), ['node-02']);
  assert.deepEqual(targets(xid(79, 'node-02', -7_200, { until: -60 }), missing), ['node-02']);
  assert.deepEqual(targets(xid(79, 'node-02', -7_200, { lasts: true }), missing), ['node-02']);
});

test('a fault whose node nobody knows leaves open an error that did not certainly come before it', () => {
  const homeless = (at: number, rest: Parameters<typeof symptom>[0] | object = {}) =>
    symptom({ symptom: 'fallen-off-bus', node: null, at, ...rest });
  const error = { ...traceback(-10), symptom: 'shape-mismatch' };
  const answered = (fault: Symptom) => answer([fault, error], { window: [-10_800, 120] });
  const open = answered(homeless(-16));
  assert.deepEqual(open.targets, []);
  assert.deepEqual(rolesOf(open.symptoms, 'shape-mismatch'), ['unknown']);
  assert.deepEqual(answered(homeless(100)).targets, ['job'], 'clearly later');
  assert.deepEqual(answered(homeless(-7_200)).targets, ['job'], 'long over');
  assert.deepEqual(answered(homeless(-16, { strength: 'S4' })).targets, ['job']);
  assert.deepEqual(answered(homeless(-16, { blames: 'nobody' })).targets, ['job']);
});
