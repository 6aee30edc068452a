import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateEntry } from './entry-dates.ts';
import type { LineDating } from './line.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: true, year: 2026, bootNanos: null, clock: 'epilog' };
const at = (text: string): string | null => {
  const nanos = dateEntry(text, dating)?.nanos ?? null;
  return nanos === null ? null : new Date(Number(nanos / 1_000_000n)).toISOString();
};

test('dates of event log entries, with years of two and of four digits', () => {
  assert.equal(at('03/04/2026 | 11:05:01'), '2026-03-04T11:05:01.000Z');
  assert.equal(at('03/04/26 | 11:05:01 UTC'), '2026-03-04T11:05:01.000Z');
});

test('a clock of unknown zone is worth half a day, one of a known zone an hour', () => {
  const hours = (text: string): number =>
    Number((dateEntry(text, dating)?.plusMinus ?? 0n) / 3_600_000_000_000n);
  assert.equal(hours('03/04/2026 | 11:05:01'), 14);
  assert.equal(hours('03/04/26 | 11:05:01 UTC'), 1);
});

test('entries and the lines that list them are of two clocks', () => {
  assert.notEqual(dateEntry('03/04/2026 | 11:05:01', dating)?.clock, 'epilog#second');
});

test('what is no date is none', () => {
  for (const text of ['', 'Pre-Init', '13/40/2026 | 11:05:01', '03/04/2026', '03/04/2026 | 31:05:01']) {
    assert.equal(dateEntry(text, dating), null, text);
  }
});
