import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { journalShort } from './journal-short.ts';

const dating: LineDating = {
  zone: 'Europe/Paris',
  zoneAssumed: false,
  year: 2020,
  bootNanos: null,
  clock: 'c',
};

function read(line: string) {
  const parsed = journalShort.parse(line, dating);
  if (parsed === null) return null;
  const { instant, host, program, pid, messageAt } = parsed;
  return [formatNanos(instant?.nanos ?? 0n), host, program, pid, line.slice(messageAt)];
}

test('reads the long form, with its zone', () => {
  const line = 'Mon 2026-11-30 12:03:41 UTC node-01 kernel: NVRM: x';
  assert.deepEqual(read(line), ['2026-11-30T12:03:41Z', 'node-01', 'kernel', null, 'NVRM: x']);
  assert.equal(read(line.replace('41 UTC', '41.123456 UTC'))?.[0], '2026-11-30T12:03:41.123456Z');
});

test('reads a zone it does not know by name in the zone that is set', () => {
  assert.deepEqual(read('Mon 2026-11-30 12:03:41 CET node-01 slurmd[7]: x'), [
    '2026-11-30T11:03:41Z',
    'node-01',
    'slurmd',
    7,
    'x',
  ]);
});

test('reads seconds since 1970, to the microsecond', () => {
  assert.deepEqual(read('1796040221.123456 node-01 kernel: [  12.345678] NVRM: x'), [
    '2026-11-30T12:03:41.123456Z',
    'node-01',
    'kernel',
    null,
    'NVRM: x',
  ]);
});

test('takes nothing else for a line of the journal', () => {
  for (const line of [
    'Mon 2026-11-30 12:03:41 INFO: x',
    'Mon 2026-11-30 12:03:41 node-01 kernel: x',
    'Mon 2026-11-30 12:03:41 UTC an ordinary sentence: x',
    '1796040221.123456 step loss: 2.0',
    '1796040221.1 node-01 kernel: x',
    '12.345678 node-01 kernel: x',
    '9999999999.999999 node-01',
  ])
    assert.equal(journalShort.fits(line), false, line);
});
