import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBareKernel } from './bare-kernel.ts';

const lost = "NVRM: Xid (PCI:0000:b3:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";
const firmware = 'mlx5_core 0000:03:00.0: wait_func:964:(pid 112): ENABLE_HCA(0x104) timeout.';

test('kernel messages without stamp and host are told by who speaks, whole or cut', () => {
  assert.ok(isBareKernel([lost, '', firmware]));
  assert.ok(isBareKernel(['NVRM: Xid (PCI:0000:b3:0']));
  assert.ok(isBareKernel(['{1}[Hardware Error]: event severity: fatal', 'Kernel panic - not syncing: Fatal']));
});

test('one line of another kind, or none at all, and it is no kernel log', () => {
  assert.ok(!isBareKernel([lost, 'Traceback (most recent call last):']));
  assert.ok(!isBareKernel([`rank 3 saw ${lost}`]));
  assert.ok(!isBareKernel(['', ' ']));
});
