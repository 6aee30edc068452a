import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { symptom, xid } from '../../../tests/support/symptoms.ts';

test('a gauge counts where the kernel log shows the same code', () => {
  const gauge = xid(79, 'node-02', -30, { origin: 'exporter' });
  assert.deepEqual(answer([gauge]).targets, []);
  assert.deepEqual(answer([gauge, xid(79, 'node-02', -31, { strength: 'S4' })]).targets, ['node-02']);
});

test('metrics that the kernel does not log stand for themselves', () => {
  const hot = symptom({
    symptom: 'thermal',
    node: 'node-02',
    origin: 'exporter',
    strength: 'S3',
    category: 'thermal_power',
  });
  assert.deepEqual(answer([hot]).targets, ['node-02']);
});

test('no evidence, no name', () => {
  assert.deepEqual(answer([{ ...xid(79, 'node-02', -30), observations: [] }]).targets, []);
});
