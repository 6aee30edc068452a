import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isZone, readingInZone } from './time-zones.ts';

function utc(local: string, zone: string): string {
  return new Date(readingInZone(Date.parse(`${local}Z`), zone).utcMs).toISOString();
}

test('reads a wall clock in summer and in winter', () => {
  assert.equal(utc('2026-07-01T12:00:00', 'Europe/Berlin'), '2026-07-01T10:00:00.000Z');
  assert.equal(utc('2026-12-01T12:00:00', 'Europe/Berlin'), '2026-12-01T11:00:00.000Z');
  assert.equal(utc('2026-12-01T12:00:00', 'Asia/Kolkata'), '2026-12-01T06:30:00.000Z');
  assert.equal(utc('2026-12-01T12:00:00', 'UTC'), '2026-12-01T12:00:00.000Z');
  assert.equal(utc('2026-12-01T12:00:00', '+02:00'), '2026-12-01T10:00:00.000Z');
});

test('keeps the minutes around a change of the clocks apart', () => {
  assert.equal(utc('2026-03-29T01:59:59', 'Europe/Berlin'), '2026-03-29T00:59:59.000Z');
  assert.equal(utc('2026-03-29T03:00:00', 'Europe/Berlin'), '2026-03-29T01:00:00.000Z');
  assert.equal(utc('2026-10-25T01:59:59', 'Europe/Berlin'), '2026-10-24T23:59:59.000Z');
  assert.equal(utc('2026-10-25T03:00:00', 'Europe/Berlin'), '2026-10-25T02:00:00.000Z');
});

test('says that a reading occurs twice, and takes the earlier one', () => {
  const reading = readingInZone(Date.parse('2026-10-25T02:30:00Z'), 'Europe/Berlin');
  assert.deepEqual(reading, { utcMs: Date.parse('2026-10-25T00:30:00Z'), repeatedMs: 3_600_000 });
});

test('reads a skipped time with the offset from before the skip', () => {
  const reading = readingInZone(Date.parse('2026-03-29T02:30:00Z'), 'Europe/Berlin');
  assert.deepEqual(reading, { utcMs: Date.parse('2026-03-29T01:30:00Z'), repeatedMs: 0 });
});

test('knows which zones exist', () => {
  assert.equal(isZone('America/New_York'), true);
  assert.equal(isZone('UTC'), true);
  assert.equal(isZone('Mars/Olympus'), false);
  assert.equal(isZone(''), false);
});

test('inverts what the runtime prints, but for readings that occur twice', () => {
  const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
  fc.assert(
    fc.property(zone, fc.integer({ min: 0, max: 2_500_000_000 }), (timeZone, seconds) => {
      const printed = new Date(seconds * 1000).toLocaleString('sv-SE', { timeZone });
      const { utcMs, repeatedMs } = readingInZone(Date.parse(`${printed.replace(' ', 'T')}Z`), timeZone);
      assert.ok([utcMs, utcMs + repeatedMs].includes(seconds * 1000), printed);
    }),
    { numRuns: 500 },
  );
});
