import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { dmesgIso } from './dmesg-iso.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads the comma form with its offset', () => {
  const line = '2026-11-30T12:03:41,123456+01:00 WARNING: CPU: 3 PID: 99 at kernel/x.c:1';
  const parsed = dmesgIso.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T11:03:41.123456Z');
  assert.equal(parsed?.instant?.basis, 'stamped');
  assert.equal(line.slice(parsed?.messageAt), 'WARNING: CPU: 3 PID: 99 at kernel/x.c:1');
});

test('reads the bracketed form behind facility and level', () => {
  const line = 'kern: warning: [2026-11-30T12:03:41.5Z]: NVRM: x';
  const parsed = dmesgIso.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.500000Z');
  assert.equal(line.slice(parsed?.messageAt), 'NVRM: x');
});

test('leaves the stamps of syslog and of Python alone', () => {
  assert.equal(dmesgIso.fits('2026-11-30T12:03:41.123456+00:00 node-01 kernel: x'), false);
  assert.equal(dmesgIso.fits('2026-11-30 12:03:41,123 - INFO - x'), false);
  assert.equal(dmesgIso.fits('[2026-11-30T12:03:41.5Z]: x'), false);
});
