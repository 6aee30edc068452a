import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { dmesgLocal } from './dmesg-local.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads the stamp in the zone of whoever ran dmesg, with room for drift', () => {
  const line = '[Mon Nov 30 12:03:41 2026] NVRM: x';
  const parsed = dmesgLocal.parse(line, { ...dating, zone: 'Europe/Berlin' });
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T11:03:41Z');
  assert.equal(parsed?.instant?.plusMinus, 5_000_000_000n);
  assert.equal(line.slice(parsed?.messageAt), 'NVRM: x');
});

test('reads facility and level in front, and keeps indentation behind', () => {
  const line = 'kern  :warn  : [Mon Nov 30 12:03:41 2026]  <TASK>';
  const parsed = dmesgLocal.parse(line, dating);
  assert.equal(line.slice(parsed?.messageAt), ' <TASK>');
});

test('leaves other bracketed stamps alone', () => {
  assert.equal(dmesgLocal.fits('[Nov 30 2026 12:03:41] [INFO] [tid 1] x'), false);
  assert.equal(dmesgLocal.fits('[2026-11-30 12:03:41] x'), false);
  assert.equal(dmesgLocal.fits('[Mon Nov 30 12:03:41] x'), false);
});
