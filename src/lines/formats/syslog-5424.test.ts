import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { syslog5424 } from './syslog-5424.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads the header, and no structured data', () => {
  const line = '<2>1 2026-11-30T12:03:41.123456+00:00 node-01 kernel - - - NVRM: x';
  const parsed = syslog5424.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.123456Z');
  assert.deepEqual([parsed?.host, parsed?.program, parsed?.pid], ['node-01', 'kernel', null]);
  assert.equal(line.slice(parsed?.messageAt), 'NVRM: x');
});

test('skips structured data with escaped brackets, and the byte order mark', () => {
  const line = '<30>1 - - app 77 ID4 [a@1 b="c\\"]d"][e] \uFEFFhello';
  const parsed = syslog5424.parse(line, dating);
  assert.deepEqual([parsed?.instant, parsed?.host, parsed?.program, parsed?.pid], [null, null, 'app', 77]);
  assert.equal(line.slice(parsed?.messageAt), 'hello');
});

test('takes broken structured data for the message', () => {
  const line = '<30>1 - - app - - [a b="c';
  assert.equal(line.slice(syslog5424.parse(line, dating)?.messageAt), '[a b="c');
});
