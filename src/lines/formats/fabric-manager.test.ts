import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { fabricManager } from './fabric-manager.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('reads stamp, level and thread', () => {
  const line = '[Nov 30 2026 12:03:41] [ERROR] [tid 1803] detected NVSwitch fatal error 20034 on fid 0';
  const parsed = fabricManager.parse(line, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41Z');
  assert.equal(parsed?.program, 'nv-fabricmanager');
  assert.equal(line.slice(parsed?.messageAt), 'detected NVSwitch fatal error 20034 on fid 0');
});

test('leaves dmesg and stamps without level alone', () => {
  assert.equal(fabricManager.fits('[Mon Nov 30 12:03:41 2026] NVRM: x'), false);
  assert.equal(fabricManager.fits('[Nov 30 2026 12:03:41] hello'), false);
});
