import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  progress,
  reasoningContext,
  type SymptomSpec,
  secondsFromFailure,
  symptom,
  traceback,
  xid,
} from '../../../tests/support/symptoms.ts';
import { survived } from './survived.ts';

const second = (symptoms: Parameters<typeof survived.run>[0], signal = 'crash') =>
  survived.run(symptoms, reasoningContext({ signal }))[1];

test('a fault well before the last progress did not end the run, nor did an error of the program', () => {
  assert.equal(second([progress(-800, -10), xid(79, 'node-01', -200)])?.role, 'context');
  assert.equal(second([progress(-800, -10), traceback(-200)])?.role, 'context');
  assert.equal(second([progress(-800, -10), xid(79, 'node-01', -40)])?.role, 'unknown');
});

test('slow iterations widen the margin', () => {
  const slow = {
    ...progress(-800, -10),
    observations: progress(-800, -10).observations.map((seen, at) => ({
      ...seen,
      captures: { iteration: String(100 + at * 4) },
    })),
  };
  assert.equal(second([slow, xid(79, 'node-01', -300)])?.role, 'unknown', 'less than two iterations of 197 s');
  assert.equal(second([slow, xid(79, 'node-01', -500)])?.role, 'context');
});

test('a fault that came back counts from its return', () => {
  const again = second([progress(-800, -100), xid(94, 'node-01', -600, { until: -20 })]);
  assert.equal(again?.reason, null);
  assert.equal(again?.first.nanos, secondsFromFailure(-20));
});

test('states that last, undated faults and stragglers are not excused', () => {
  assert.equal(second([progress(-800, -10), xid(79, 'node-01', -200, { lasts: true })])?.role, 'unknown');
  assert.equal(second([progress(-800, -10), xid(79, 'node-01', null)])?.role, 'unknown');
  assert.equal(second([progress(-800, -10), xid(79, 'node-01', -200)], 'straggler')?.role, 'unknown');
});

test('a node that stopped took no step afterwards: its clock was slow, within reason', () => {
  const panic = (at: number) => symptom({ symptom: 'kernel-panic', node: 'node-01', at });
  assert.equal(second([progress(-800, -10), panic(-200)])?.role, 'unknown');
  assert.equal(second([progress(-800, -10), panic(-400)])?.role, 'context');
});

test('a fault was not survived where by another clock its own consequences came after the last progress', () => {
  const inhibits = [{ symptoms: ['own-ecc'], scope: 'device', withinSeconds: 600 }] as const;
  const fault = xid(94, 'node-01', -250, { inhibits });
  const told = (at: number, rest: Partial<SymptomSpec> = {}) =>
    symptom({ symptom: 'own-ecc', node: 'node-01', at, origin: 'job', strength: 'S2', ...rest });
  assert.equal(second([progress(-800, -100), fault, told(-60)])?.role, 'unknown');
  assert.equal(second([progress(-800, -100), fault, told(-60, { strength: 'S4' })])?.role, 'unknown');
  const weaker = { ...fault, strength: 'S3' as const };
  assert.equal(second([progress(-800, -100), weaker, told(-60, { strength: 'S4' })])?.role, 'context');
  for (const other of [
    told(-60, { symptom: 'other' }),
    told(-60, { node: 'node-02' }),
    told(-60, { device: '0000:5e:00' }),
    told(-60, { strength: 'S5' }),
    told(-60, { origin: 'kernel' }),
    told(-240),
    told(400),
  ]) {
    assert.equal(second([progress(-800, -100), fault, other])?.role, 'context');
  }
});

test('progress by another clock excuses nothing of a node whose clock is proven slow', () => {
  const cleanUp = (node: string, at: number) => ({ ...xid(45, node, at), symptom: 'gpu-channel-teardown' });
  const others = ['node-02', 'node-03', 'node-04'].map(node => cleanUp(node, 5));
  const symptoms = [progress(-800, -10), xid(79, 'node-01', -200), ...others];
  assert.equal(second(symptoms)?.role, 'context');
  assert.equal(second([...symptoms, cleanUp('node-01', -180)])?.role, 'unknown');
});
