import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  progress,
  reasoningContext,
  secondsFromFailure,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';
import { stuckCollective } from './collective-start.ts';
import { stuckCollectivePass } from './stuck-collective.ts';

const role = (at: number, rest = {}) =>
  stuckCollectivePass.run([watchdog(0, -5), xid(62, 'node-01', at, rest)], reasoningContext())[1];

test('a collective began at log time minus its running time, the earliest of all that are stuck', () => {
  const stuck = stuckCollective([
    watchdog(0, -5),
    watchdog(1, -4),
    watchdog(2, -90, { captures: { running_ms: '1000' } }),
  ]);
  assert.equal(stuck?.start.nanos, secondsFromFailure(-605));
  assert.equal(stuckCollective([watchdog(0, null), xid(79, 'node-01', 0)]), null);
});

test('a first sign long after the start may be a consequence, one around it may be the cause', () => {
  assert.equal(role(-610)?.reason, null);
  assert.equal(role(-430, { strength: 'S3' })?.reason, null, 'time-outs come minutes later');
  assert.equal(role(-310)?.reason, null, 'clocks differ by minutes');
  assert.equal(role(-310, { strength: 'S3' })?.role, 'unknown');
  assert.equal(role(-60)?.role, 'unknown');
  assert.match(role(-60)?.reason?.text ?? '', /2026-09-09T11:49:55Z/);
});

test('what was over long before the start stopped no rank', () => {
  assert.equal(role(-1_190)?.reason, null, 'clocks differ by minutes, and steps take some');
  assert.match(role(-1_300)?.reason?.text ?? '', /long before/);
  assert.equal(role(-1_300, { until: -700 })?.reason, null);
  assert.equal(role(-1_300, { lasts: true })?.reason, null);
});

test('schedulers, health checks and states that last notice late', () => {
  assert.equal(role(-60, { origin: 'scheduler' })?.reason, null);
  assert.equal(role(-60, { origin: 'health' })?.reason, null);
  assert.equal(role(-60, { lasts: true })?.reason, null);
});

test('nothing was stuck before the last progress, nor does an unstamped line tell since when', () => {
  assert.equal(stuckCollective([watchdog(0, -5), progress(-900, -400)]), null);
  assert.equal(stuckCollective([watchdog(0, -5), progress(-900, -604)])?.start.nanos, secondsFromFailure(-605));
  assert.equal(stuckCollective([watchdog(0, -5, { basis: 'file_order' })]), null);
});
