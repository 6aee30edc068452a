import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsFromFailure, xid } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { cleanUpOf } from './clean-up.ts';

const cleanUp = (node: string, at: number, until = at + 2): Symptom => ({
  ...xid(45, node, at, { until, strength: 'S6', blames: 'nobody', ruleRole: 'victim' }),
  symptom: 'gpu-channel-teardown',
});
const inTime = [cleanUp('node-02', 6), cleanUp('node-03', 6), cleanUp('node-04', 9)];
const fault = xid(79, 'node-01', 100);
const correctedBy = (symptoms: readonly Symptom[], of = fault) => {
  const { nanos } = cleanUpOf(symptoms).corrected(of, of.first);
  return Number((nanos ?? 0n) - secondsFromFailure(0)) / 1e9;
};

test('a node that cleans up minutes away from the others has a wrong clock', () => {
  assert.equal(correctedBy([...inTime, cleanUp('node-01', 146)]), 100 - 140);
  assert.equal(correctedBy([...inTime, cleanUp('node-01', -114)]), 100 + 120);
});

test('within the usual spread, and beyond reason, nothing is corrected', () => {
  assert.equal(correctedBy([...inTime, cleanUp('node-01', 30)]), 100);
  assert.equal(correctedBy([...inTime, cleanUp('node-01', 700)]), 100);
});

test('a node that tears channels down twice corrects nothing', () => {
  assert.equal(correctedBy([...inTime, cleanUp('node-01', 6), cleanUp('node-01', 146)]), 100);
  assert.equal(correctedBy([...inTime, cleanUp('node-01', 6, 146)]), 100);
});

test('nodes must agree, and be enough', () => {
  assert.equal(correctedBy([cleanUp('node-02', 5), cleanUp('node-01', 146)]), 100);
  const apart = [cleanUp('node-02', 5), cleanUp('node-03', 80), cleanUp('node-04', 300)];
  assert.equal(correctedBy([...apart, cleanUp('node-01', 146)]), 100);
});

test('only the log that shows the burst is corrected', () => {
  const all = [...inTime, cleanUp('node-01', 146)];
  assert.equal(correctedBy(all, xid(79, 'node-01', 100, { clock: 'another' })), 100);
  assert.equal(correctedBy(all, xid(79, 'node-01', 100, { origin: 'scheduler' })), 100);
  assert.equal(correctedBy(all, xid(79, 'node-02', 100)), 100);
});

test('what a node shows clearly after it cleaned up with the others came after the job', () => {
  const after = (symptoms: readonly Symptom[], of = fault) => cleanUpOf(symptoms).precedes(of);
  assert.equal(after([...inTime, cleanUp('node-01', 6)]), true);
  assert.equal(after([...inTime, cleanUp('node-01', 6), cleanUp('node-01', 300)]), true, 'and again later');
  assert.equal(after([...inTime, cleanUp('node-01', 6)], xid(79, 'node-01', 11)), false, 'moments after');
  assert.equal(after([...inTime, cleanUp('node-01', 96)]), false);
  assert.equal(after([...inTime, cleanUp('node-01', 50)]), false, 'not with the others');
  assert.equal(after([...inTime, cleanUp('node-01', 6)], xid(79, 'node-01', 100, { clock: 'another' })), false);
  assert.equal(after([cleanUp('node-02', 6), cleanUp('node-01', 6)]), false, 'too few');
});
