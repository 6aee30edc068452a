import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineDating } from '../line.ts';
import { dmesg } from './dmesg.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

function read(line: string): readonly unknown[] {
  const parsed = dmesg.parse(line, dating);
  assert.equal(dmesg.fits(line), parsed !== null);
  return parsed === null ? [] : [parsed.instant?.tick, parsed.host, line.slice(parsed.messageAt)];
}

test('reads the clock of the kernel behind every prefix dmesg can write', () => {
  const message = 'NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.';
  assert.deepEqual(read(`[12345.678901] ${message}`), [12_345_678_901_000n, null, message]);
  assert.deepEqual(read(`[  130.456250] [ T1946] ${message}`), [130_456_250_000n, null, message]);
  assert.deepEqual(read(`<3>[    5.000001] [C12] ${message}`), [5_000_001_000n, null, message]);
  assert.deepEqual(read(`kern  :warn  : [    5.000001] ${message}`), [5_000_001_000n, null, message]);
});

test('reads a host in front of the line or behind its stamp', () => {
  assert.deepEqual(read('node-01: [    5.000001] NVRM: x'), [5_000_001_000n, 'node-01', 'NVRM: x']);
  assert.deepEqual(read('[    5.000001] node-01 kernel: NVRM: x'), [5_000_001_000n, 'node-01', 'NVRM: x']);
});

test('keeps the indentation of stack traces', () => {
  assert.deepEqual(read('[    5.000001]  show_stack+0x52/0x5c'), [
    5_000_001_000n,
    null,
    ' show_stack+0x52/0x5c',
  ]);
});

test('leaves a labelled line to the job', () => {
  assert.equal(dmesg.fits('7: [    5.000001] NVRM: x'), false);
  assert.equal(dmesg.fits('[rank7]: x'), false);
  assert.equal(dmesg.fits('NVRM: x'), false);
});
