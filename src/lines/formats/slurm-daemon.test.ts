import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { slurmDaemon } from './slurm-daemon.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads lines of the controller and of a node daemon', () => {
  const line = '[2026-11-30T12:03:41.123] error: Nodes node-03 not responding';
  const parsed = slurmDaemon.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.123000Z');
  assert.equal(line.slice(parsed?.messageAt), 'error: Nodes node-03 not responding');
});

test('reads the step of slurmstepd', () => {
  const line = '[2026-11-30T12:03:41] [77.batch] error: Detected 1 oom_kill event';
  const parsed = slurmDaemon.parse(line, dating);
  assert.equal(parsed?.program, 'slurmstepd');
  assert.equal(line.slice(parsed?.messageAt), 'error: Detected 1 oom_kill event');
});

test('leaves the stamps of frameworks alone', () => {
  assert.equal(slurmDaemon.fits('[2026-11-30 12:03:41] iteration 1/ 2 |'), false);
  assert.equal(slurmDaemon.fits('[2026-11-30T12:03:41Z] x'), false);
});
