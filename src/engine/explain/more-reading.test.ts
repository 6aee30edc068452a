import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  coverage,
  reasoningContext,
  secondsFromFailure,
  symptom,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';
import { explain } from './explain.ts';

const stuckFor = (ms: number) => watchdog(0, -5, { captures: { running_ms: String(ms) } });

test('a collective that got stuck before the window asks for the time before it', () => {
  const { wants } = explain([stuckFor(1_800_000)], reasoningContext());
  assert.deepEqual(wants?.window, { from: secondsFromFailure(-2105), to: secondsFromFailure(-900) });
  assert.deepEqual(wants?.nodes, []);
});

test('not before the job began, and not where the window reaches back far enough', () => {
  const started = explain([stuckFor(1_800_000)], reasoningContext({ jobStart: -1850 }));
  assert.equal(started.wants?.window?.from, secondsFromFailure(-1850));
  assert.equal(explain([stuckFor(600_000)], reasoningContext()).wants, null);
  assert.equal(explain([stuckFor(1_800_000)], reasoningContext({ window: [-2500, 120] })).wants, null);
});

test('a time-out without a stamp was written before the end: that long before it, and a look back', () => {
  const undated = watchdog(0, null, { captures: { running_ms: '1800000' } });
  const { wants } = explain([undated], reasoningContext());
  assert.deepEqual(wants?.window, { from: secondsFromFailure(-2100), to: secondsFromFailure(-900) });
  const endless = watchdog(0, null, { captures: { running_ms: '90000000000' } });
  assert.equal(explain([endless], reasoningContext()).wants, null);
});

test('nodes that the job speaks of get a closer look where their log was cut short', () => {
  const ecc = symptom({
    symptom: 'ecc',
    node: 'node-02',
    at: -5,
    origin: 'job',
    strength: 'S2',
    category: 'accelerator_memory',
  });
  const cut = { coverage: [coverage('kernel', 'node-[01-04]', 'truncated')] };
  assert.deepEqual(explain([ecc], reasoningContext(cut)).wants?.nodes, ['node-02']);
  assert.equal(explain([ecc], reasoningContext()).wants, null);
  assert.equal(explain([ecc, xid(79, 'node-02', -6)], reasoningContext(cut)).wants, null, 'already decided');
});
