import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, traceback, watchdog, xid } from '../../../tests/support/symptoms.ts';
import { markInitiating } from './mark-initiating.ts';

const first = (symptoms: Parameters<typeof markInitiating.run>[0]) =>
  markInitiating.run(symptoms, reasoningContext())[0];

test('unexplained strong roots of a node, and roots of the job, may be where it began', () => {
  assert.equal(first([xid(79, 'node-01', 0)])?.role, 'initiating');
  assert.equal(first([traceback(0)])?.role, 'initiating');
});

test('a strong root without a proven node is not', () => {
  assert.equal(first([symptom({ symptom: 'x' })])?.role, 'unknown');
});

test('victims, cascades and what blames nobody stay unknown, confirmations are context', () => {
  assert.equal(first([watchdog(0, 0)])?.role, 'unknown');
  assert.equal(first([xid(43, 'node-01', 0, { ruleRole: 'cascade' })])?.role, 'unknown');
  assert.equal(first([xid(8, 'node-01', 0, { blames: 'nobody' })])?.role, 'unknown');
  assert.equal(first([xid(154, 'node-01', 0, { ruleRole: 'confirmation' })])?.role, 'context');
});

test('rules in test blame the job, but no node; experimental ones blame nobody', () => {
  assert.equal(first([traceback(0, { status: 'test' })])?.role, 'initiating');
  assert.equal(first([xid(79, 'node-01', 0, { status: 'test' })])?.role, 'unknown');
  assert.equal(first([traceback(0, { status: 'experimental' })])?.role, 'unknown');
});

test('every symptom leaves with a reason', () => {
  const marked = markInitiating.run([xid(79, 'node-01', 0), watchdog(0, 0), traceback(0)], reasoningContext());
  assert.ok(marked.every(({ reason }) => reason?.pass === 'mark-initiating'));
});

test('ambiguous device errors go with a strong one of their device', () => {
  const ambiguous = xid(109, 'node-01', 0, { strength: 'S4' });
  const strong = xid(79, 'node-01', 0);
  assert.equal(first([ambiguous, strong])?.reason?.cause, strong.id);
  assert.equal(first([ambiguous, xid(79, 'node-02', 0)])?.role, 'unknown');
});
