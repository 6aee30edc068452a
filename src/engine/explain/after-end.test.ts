import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, xid } from '../../../tests/support/symptoms.ts';
import { afterEnd } from './after-end.ts';

const role = (at: number, spec: Parameters<typeof reasoningContext>[0], rest = {}) =>
  afterEnd.run([xid(62, 'node-01', at, rest)], reasoningContext(spec))[0]?.role;

test('what begins after the end of a crashed job is teardown', () => {
  assert.equal(role(10, { jobEnd: 0 }), 'teardown');
  assert.equal(role(-10, { jobEnd: 0 }), 'unknown');
  assert.equal(role(1, { jobEnd: 0 }, { plusMinusMs: 5000 }), 'unknown', 'it may have come before');
});

test('without an end, only what begins well after the detection is', () => {
  assert.equal(role(60, {}), 'unknown');
  assert.equal(role(125, {}), 'teardown');
});

test('while a hang is looked into only an end that the request states counts', () => {
  assert.equal(role(10, { signal: 'hang', jobEnd: 0 }), 'unknown');
  assert.equal(role(300, { signal: 'straggler' }), 'unknown');
  assert.equal(role(10, { signal: 'hang', statedEnd: 0 }), 'teardown');
});

test('a drain after the end is teardown, a missing device that lasts is not', () => {
  const scheduler = { origin: 'scheduler', lasts: true } as const;
  assert.equal(role(10, { jobEnd: 0 }, { ...scheduler, strength: 'S3' }), 'teardown');
  assert.equal(role(10, { jobEnd: 0 }, { ...scheduler, strength: 'S1' }), 'unknown');
});

test('health checks run after the end and still tell', () => {
  const check = (strength: 'S2' | 'S5') =>
    symptom({ symptom: 'check', node: 'node-01', at: 30, origin: 'health', strength });
  const [strong, weak] = afterEnd.run([check('S2'), check('S5')], reasoningContext({ jobEnd: 0 }));
  assert.equal(strong?.role, 'unknown');
  assert.equal(weak?.role, 'teardown');
});

test('what a node with a clock ahead shows before the end is no teardown', () => {
  const cleanUp = (node: string, at: number) => ({ ...xid(45, node, at), symptom: 'gpu-channel-teardown' });
  const all = [
    xid(62, 'node-01', 100),
    cleanUp('node-01', 146),
    ...['node-02', 'node-03', 'node-04'].map(node => cleanUp(node, 5)),
  ];
  assert.equal(afterEnd.run(all, reasoningContext({ jobEnd: 0 }))[0]?.role, 'unknown');
  assert.equal(afterEnd.run(all.slice(0, 2), reasoningContext({ jobEnd: 0 }))[0]?.role, 'teardown');
});

test('where the end is not known, a node that cleaned up with the others was done with the job', () => {
  const cleanUp = (node: string) => ({ ...xid(45, node, -40), symptom: 'gpu-channel-teardown' });
  const all = ['node-01', 'node-02', 'node-03'].map(cleanUp);
  const role = (at: number) => afterEnd.run([xid(79, 'node-01', at), ...all], reasoningContext())[0]?.role;
  assert.equal(role(20), 'teardown');
  assert.equal(role(-45), 'unknown');
});

test('what had consequences before the end by another clock began before it', () => {
  const inhibits = [{ symptoms: ['own-ecc'], scope: 'device', withinSeconds: 600 }] as const;
  const fault = (at: number) => xid(94, 'node-01', at, { inhibits });
  const told = (at: number, node = 'node-01') =>
    symptom({ symptom: 'own-ecc', node, at, origin: 'job', strength: 'S4' });
  const first = (...all: Parameters<typeof afterEnd.run>[0]) =>
    afterEnd.run(all, reasoningContext({ jobEnd: 0 }))[0]?.role;
  assert.equal(first(fault(290), told(-20)), 'unknown');
  assert.equal(first(fault(290)), 'teardown');
  assert.equal(first(fault(290), told(-20, 'node-02')), 'teardown', 'on another node');
  assert.equal(first(fault(290), told(20)), 'teardown', 'after the end as well');
  assert.equal(first(fault(400), told(-20)), 'teardown', 'further apart than clocks are');
  assert.equal(first({ ...fault(290), origin: 'exporter' }, told(-20)), 'teardown', 'by no clock of the node');
});
