import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { syslogIso } from './syslog-iso.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads what rsyslog and journalctl write', () => {
  for (const stamp of ['2026-11-30T12:03:41.123456+00:00', '2026-11-30T13:03:41.123456+0100']) {
    const line = `${stamp} node-01 kernel: [   12.345678] NVRM: x`;
    const parsed = syslogIso.parse(line, dating);
    assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.123456Z');
    assert.deepEqual([parsed?.host, parsed?.program], ['node-01', 'kernel']);
    assert.equal(line.slice(parsed?.messageAt), 'NVRM: x');
  }
});

test('leaves lines without offset, host or tag to others', () => {
  assert.equal(syslogIso.fits('2026-11-30T12:03:41.123 node-01 kernel: x'), false);
  assert.equal(syslogIso.fits('2026-11-30T12:03:41Z stderr F hello'), false);
  assert.equal(syslogIso.fits('2026-11-30 12:03:41+00:00 node-01 kernel: x'), false);
  assert.equal(syslogIso.fits('- node-01 kernel: x'), false);
});
