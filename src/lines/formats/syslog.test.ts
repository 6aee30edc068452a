import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { syslog } from './syslog.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads host, program and process, and skips the stamp the kernel wrote itself', () => {
  const line = '<4>Nov  3 12:03:41 node-01 kernel: [   12.345678] [ T99] NVRM: x';
  const parsed = syslog.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-03T12:03:41Z');
  assert.equal(parsed?.instant?.basis, 'year_assumed');
  assert.deepEqual([parsed?.host, parsed?.program, parsed?.pid], ['node-01', 'kernel', null]);
  assert.equal(line.slice(parsed?.messageAt), 'NVRM: x');
});

test('keeps a bracket that is not the own stamp of the kernel', () => {
  const line = 'Nov 30 12:03:41 node-01 slurmd[812]: [77.0] error: x';
  const parsed = syslog.parse(line, dating);
  assert.deepEqual([parsed?.program, parsed?.pid], ['slurmd', 812]);
  assert.equal(line.slice(parsed?.messageAt), '[77.0] error: x');
});

test('reads a line without tag', () => {
  const line = 'Nov 30 12:03:41 node-01 last message repeated 2 times';
  const parsed = syslog.parse(line, dating);
  assert.equal(parsed?.program, null);
  assert.equal(line.slice(parsed?.messageAt), 'last message repeated 2 times');
});

test('stamps of two hosts in one file are not exact to each other', () => {
  const a = syslog.parse('Nov 30 12:03:41 node-01 kernel: x', dating);
  const b = syslog.parse('Nov 30 12:03:41 node-02 kernel: x', dating);
  assert.notEqual(a?.instant?.clock, b?.instant?.clock);
});
