import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isDate,
  type Read,
  readGlog,
  readIso,
  readKernelClock,
  readMonthName,
  readUsDate,
  type WallStamp,
} from './time-stamps.ts';

/** `year month day msOfDay subMs offset` of a stamp, and how many characters it takes. */
function facts(read: Read<WallStamp> | null): readonly (number | null)[] {
  assert.ok(read !== null);
  const { year, month, day, msOfDay, subMs, offset } = read.stamp;
  return [year, month, day, msOfDay, subMs, offset, read.end];
}

const noon = ((12 * 60 + 3) * 60 + 41) * 1000;

test('reads ISO stamps with every separator, fraction and offset', () => {
  assert.deepEqual(facts(readIso('2026-11-30T12:03:41Z', 0)), [2026, 11, 30, noon, 0, 0, 20]);
  assert.deepEqual(facts(readIso('2026-11-30 12:03:41,123 - INFO', 0)), [
    2026,
    11,
    30,
    noon + 123,
    0,
    null,
    23,
  ]);
  assert.deepEqual(facts(readIso('2026-11-30_12:03:41', 0)), [2026, 11, 30, noon, 0, null, 19]);
  assert.deepEqual(facts(readIso('2026/11/30 12:03:41', 0)), [2026, 11, 30, noon, 0, null, 19]);
  assert.deepEqual(facts(readIso('2026-11-30T12:03:41,123456+00:00 NVRM', 0)), [
    2026,
    11,
    30,
    noon + 123,
    456_000,
    0,
    32,
  ]);
  assert.deepEqual(facts(readIso('x 2026-11-30T12:03:41.123456789-0530', 2)), [
    2026,
    11,
    30,
    noon + 123,
    456_789,
    -330,
    36,
  ]);
  assert.deepEqual(facts(readIso('2026-11-30T12:03:41+02', 0)), [2026, 11, 30, noon, 0, 120, 22]);
});

test('reads month names with the year before, after or not at all', () => {
  assert.deepEqual(facts(readMonthName('Nov 30 12:03:41 node-01', 0)), [null, 11, 30, noon, 0, null, 15]);
  assert.deepEqual(facts(readMonthName('Nov  3 12:03:41', 0)), [null, 11, 3, noon, 0, null, 15]);
  assert.deepEqual(facts(readMonthName('Mon Nov 30 12:03:41 2026]', 0)), [2026, 11, 30, noon, 0, null, 24]);
  assert.deepEqual(facts(readMonthName('Feb 25 2026 12:03:41]', 0)), [2026, 2, 25, noon, 0, null, 20]);
  assert.deepEqual(facts(readMonthName('Mon Nov 30 12:03:41 UTC 2026', 0)), [2026, 11, 30, noon, 0, 0, 28]);
  assert.deepEqual(facts(readMonthName('Nov 30 12:03:41 2026.example', 0)), [null, 11, 30, noon, 0, null, 15]);
});

test('reads glog stamps, US dates and the clock of the kernel', () => {
  assert.deepEqual(facts(readGlog('E1130 12:03:41.123456789 Process', 0)), [
    null,
    11,
    30,
    noon + 123,
    456_789,
    null,
    24,
  ]);
  assert.deepEqual(facts(readGlog('I20261130 12:03:41.5 1', 0)), [2026, 11, 30, noon + 500, 0, null, 20]);
  assert.deepEqual(facts(readUsDate('11/30/2026-12:03:41]', 0)), [2026, 11, 30, noon, 0, null, 19]);
  assert.deepEqual(readKernelClock('[    5.000012] x', 0), {
    stamp: { kind: 'boot', nanos: 5_000_012_000n },
    end: 14,
  });
  assert.deepEqual(readKernelClock('[12345.678901 <    0.000012>] x', 0)?.stamp.nanos, 12_345_678_901_000n);
});

test('takes no impossible date or time for a stamp', () => {
  for (const text of [
    '2026-02-30T12:03:41Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
  ]) {
    assert.equal(readIso(text, 0), null, text);
  }
  assert.equal(readIso('2026-01-01T00:61:00Z', 0), null);
  assert.equal(readIso('1969-01-01T00:00:00Z', 0), null);
  assert.equal(readMonthName('Foo 30 12:03:41', 0), null);
  assert.equal(readMonthName('Feb 30 12:03:41', 0), null);
  assert.equal(readGlog('E1331 12:03:41.1', 0), null);
  assert.deepEqual(facts(readGlog('E302 12:03:41.5 1', 0)).slice(0, 3), [null, 3, 2]);
  assert.deepEqual(facts(readGlog('I2026302 12:03:41.5 1', 0)).slice(0, 3), [2026, 3, 2]);
  assert.equal(readKernelClock('[12345]', 0), null);
});

test('keeps Feb 29 where no year denies it', () => {
  assert.equal(readMonthName('Feb 29 12:03:41', 0)?.stamp.day, 29);
  assert.equal(readMonthName('Feb 29 2025 12:03:41', 0), null);
  assert.equal(isDate(2024, 2, 29), true);
});

test('reads back any date written in ISO form', () => {
  const date = fc.date({ min: new Date(0), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.constantFrom('T', ' ', '_'), fc.constantFrom('.', ','), (when, separator, point) => {
      const text = when.toISOString().replace('T', separator).replace('.', point);
      const read = readIso(text, 0);
      assert.ok(read !== null);
      const { year, month, day, msOfDay } = read.stamp;
      assert.equal(Date.UTC(year ?? 0, month - 1, day) + msOfDay, when.getTime());
      assert.equal(read.end, text.length);
    }),
  );
});

test('never throws on random text, and ends inside it', () => {
  const piece = fc.constantFrom(
    '2026',
    '-',
    '11',
    '30',
    'T',
    ' ',
    '12',
    ':',
    '03',
    '41',
    '.',
    'Nov',
    '[',
    ']',
    'E',
    '+',
  );
  const text = fc.array(piece, { maxLength: 24 }).map(pieces => pieces.join(''));
  fc.assert(
    fc.property(text, fc.nat(30), (line, at) => {
      for (const read of [readIso, readUsDate, readMonthName, readGlog, readKernelClock]) {
        const found = read(line, at);
        if (found !== null) assert.ok(found.end > at && found.end <= line.length);
      }
    }),
  );
});
