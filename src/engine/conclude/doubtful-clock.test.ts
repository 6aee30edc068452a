import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import {
  type ContextSpec,
  coverage,
  progress,
  type SymptomSpec,
  symptom,
  xid,
} from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';

const part: ContextSpec = { coverage: [coverage('kernel', 'node-[01-03]')] };
const fault = xid(48, 'node-02', -30);
const steps = progress(-600, -60);
const named = (symptoms: readonly Symptom[], spec: ContextSpec = part) => answer(symptoms, spec).targets;

test('a fault that training may have survived by a true clock is told where another log is missing', () => {
  const { targets, told } = answer([fault, steps], part);
  assert.deepEqual([targets, told], [[], ['node-02']]);
  assert.deepEqual(named([fault, steps], {}), ['node-02'], 'all logs were read');
  assert.deepEqual(named([fault, progress(-900, -400)]), ['node-02'], 'no step for long before it');
  assert.deepEqual(named([fault]), ['node-02'], 'no step at all');
});

test('so is one that may lie before the job', () => {
  assert.deepEqual(named([fault], { ...part, jobStart: -120 }), []);
  assert.deepEqual(named([fault], { ...part, jobStart: -800 }), ['node-02']);
});

test('what another clock tells of the fault proves its time', () => {
  const seen = (rest: Partial<SymptomSpec>) =>
    symptom({ symptom: 'seen', node: 'node-02', at: -25, strength: 'S4', blames: 'nobody', ...rest });
  const explaining = xid(48, 'node-02', -30, {
    inhibits: [{ scope: 'node', withinSeconds: 600, symptoms: ['seen'] }],
  });
  assert.deepEqual(named([explaining, steps, seen({ origin: 'job' })]), ['node-02']);
  assert.deepEqual(named([explaining, steps, seen({ origin: 'kernel' })]), []);
  assert.deepEqual(named([fault, steps, seen({ origin: 'job', ruleRole: 'victim', strength: 'S5' })]), []);
  const gauge = seen({ origin: 'exporter', ruleRole: 'confirmation' });
  assert.deepEqual(named([fault, steps, gauge]), ['node-02']);
});

test('a node that stopped and did not start again took its part in training with it, whatever its clock', () => {
  const panic = symptom({ symptom: 'kernel-panic', node: 'node-02', at: -30, strength: 'S1' });
  const error = symptom({ symptom: 'host-memory-uncorrected', node: 'node-02', at: -31, strength: 'S3' });
  assert.deepEqual(named([panic, steps]), ['node-02']);
  assert.deepEqual(named([error, panic, steps]), ['node-02']);
  assert.deepEqual(named([error, steps]), []);
  const started = symptom({
    symptom: 'node-booted',
    category: 'host_kernel',
    ruleRole: 'boot',
    strength: 'S6',
    blames: 'nobody',
    node: 'node-02',
    at: -5,
  });
  assert.deepEqual(named([panic, steps, started]), [], 'it may have stopped before the job');
  assert.deepEqual(named([panic, steps], { ...part, jobStart: -120 }), [], 'it may lie before the job');
});

test('a fault at which another node lost its peer is of this failure', () => {
  const lost = (at: number, node = 'node-01') =>
    symptom({
      symptom: 'peer-lost',
      node,
      at,
      origin: 'job',
      ruleRole: 'victim',
      strength: 'S5',
      blames: 'nobody',
    });
  assert.deepEqual(named([fault, steps, lost(-25)]), ['node-02']);
  assert.deepEqual(named([fault, steps, lost(-40), lost(35)]), ['node-02']);
  assert.deepEqual(named([fault, steps, lost(-55), lost(-25)]), [], 'the first was lost before');
  assert.deepEqual(named([fault, steps, lost(40)]), [], 'more than a minute later');
  assert.deepEqual(named([fault, steps, lost(-25, 'node-02')]), [], 'a rank of its own');
});
