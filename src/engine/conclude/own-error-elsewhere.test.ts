import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { type SymptomSpec, symptom, xid } from '../../../tests/support/symptoms.ts';

const undated = { at: null } as const;

/** What a rank says of an error of its own. */
const told = (node: string, at: number, rest: Partial<SymptomSpec> = {}) =>
  symptom({
    symptom: 'launch-failed',
    node,
    at,
    origin: 'job',
    strength: 'S4',
    blames: 'nobody',
    category: 'unknown',
    ...rest,
  });

const contained = xid(94, 'node-04', -600, {
  inhibits: [{ scope: 'job', withinSeconds: 900, symptoms: ['launch-failed'] }],
});

test('an error of a rank elsewhere, at no known time, leaves a fault open, whatever is said to explain it', () => {
  const result = answer([told('node-02', -10, undated), contained]);
  assert.deepEqual([result.targets, result.told], [[], ['node-04']]);
  const byDevice = told('node-02', -10, { ...undated, blames: 'node', strength: 'S3' });
  assert.deepEqual(answer([byDevice, contained]).targets, []);
  const byJob = told('node-02', -10, { ...undated, blames: 'job', strength: 'S3' });
  assert.deepEqual(answer([byJob, contained]).targets, []);
});

test('what others suffer leaves no fault open', () => {
  assert.deepEqual(answer([told('node-02', -10, { ...undated, ruleRole: 'victim' }), contained]).targets, [
    'node-04',
  ]);
  const reset = told('node-02', -10, { ...undated, category: 'network_fabric' });
  assert.deepEqual(answer([reset, contained]).targets, ['node-04']);
  assert.deepEqual(answer([told('node-04', -10, undated), contained]).targets, ['node-04'], 'its own rank');
});

test('a fault that a rank of its node felt in its own way is named', () => {
  const felt = xid(48, 'node-04', -20, {
    inhibits: [{ scope: 'node', withinSeconds: 900, symptoms: ['memory-error-told'] }],
  });
  const elsewhere = told('node-02', -10, undated);
  const own = told('node-04', -10, { ...undated, symptom: 'memory-error-told' });
  assert.deepEqual(answer([elsewhere, own, felt]).targets, ['node-04']);
  assert.deepEqual(answer([elsewhere, felt]).targets, []);
  assert.deepEqual(answer([elsewhere, told('node-04', -9, undated), felt]).targets, [], 'all tell the same');
});

test('by its stamp an error elsewhere counts until it certainly came later', () => {
  const fault = xid(119, 'node-01', -20);
  assert.deepEqual(answer([told('node-02', -40), fault]).targets, []);
  assert.deepEqual(answer([told('node-02', -10), fault]).targets, ['node-01']);
});

test('a lost node is reported late: an error that bears a stamp is no earlier for that', () => {
  const lost = symptom({
    symptom: 'node-lost',
    node: 'node-01',
    at: -10,
    origin: 'scheduler',
    category: 'node_lost',
  });
  assert.deepEqual(answer([told('node-02', -40), lost]).targets, ['node-01']);
  assert.deepEqual(answer([told('node-02', -40, undated), lost]).targets, []);
});
