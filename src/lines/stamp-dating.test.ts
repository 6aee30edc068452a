import assert from 'node:assert/strict';
import { test } from 'node:test';
import { before, formatNanos, type Instant } from '../core/time.ts';
import type { LineDating } from './line.ts';
import { type DatingOptions, dateIso, dateStamp } from './stamp-dating.ts';
import { type Read, readGlog, readIso, readKernelClock, readMonthName } from './time-stamps.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: true, year: 2026, bootNanos: null, clock: 'node-01' };

function dated(read: Read | null, overrides: Partial<LineDating> = {}, options: DatingOptions = {}): Instant {
  assert.ok(read !== null);
  return dateStamp(read.stamp, { ...dating, ...overrides }, options);
}

function shown({ nanos }: Instant): string | null {
  return nanos === null ? null : formatNanos(nanos);
}

test('a stamp with an offset needs no assumption', () => {
  const instant = dated(readIso('2026-11-30T12:03:41.5+02:00', 0), { zone: 'Asia/Tokyo' });
  assert.equal(shown(instant), '2026-11-30T10:03:41.500000Z');
  assert.equal(instant.basis, 'stamped');
  assert.equal(instant.plusMinus, 1_000_000_000n);
});

test('a naive stamp is read in the zone of its stream, and says so where nobody configured it', () => {
  const assumed = dated(readIso('2026-11-30 12:03:41', 0), { zone: 'Asia/Tokyo' });
  assert.equal(shown(assumed), '2026-11-30T03:03:41Z');
  assert.equal(assumed.basis, 'zone_assumed');
  assert.equal(assumed.plusMinus, 2_000_000_000n);
  assert.equal(dated(readIso('2026-11-30 12:03:41', 0), { zoneAssumed: false }).basis, 'stamped');
});

test('a stamp without year takes the year of its stream', () => {
  const instant = dated(readMonthName('Nov 30 12:03:41', 0));
  assert.equal(shown(instant), '2026-11-30T12:03:41Z');
  assert.equal(instant.basis, 'year_assumed');
});

test('a stamp without year is not dated months into the future', () => {
  const near = BigInt(Date.parse('2026-11-30T12:00:00Z')) * 1_000_000n;
  assert.equal(shown(dated(readMonthName('Mar  2 10:03:17', 0), { near })), '2026-03-02T10:03:17Z');
  assert.equal(shown(dated(readMonthName('Dec 20 10:03:17', 0), { near })), '2026-12-20T10:03:17Z');
});

test('across New Year the year is the one that lies nearest', () => {
  const near = BigInt(Date.parse('2027-01-01T00:10:00Z')) * 1_000_000n;
  assert.equal(shown(dated(readMonthName('Dec 31 23:59:00', 0), { near, year: 2027 })), '2026-12-31T23:59:00Z');
  assert.equal(shown(dated(readGlog('E0101 00:05:00.1', 0), { near })), '2027-01-01T00:05:00.100000Z');
});

test('Feb 29 falls into a year that has it, or into none', () => {
  const near = BigInt(Date.parse('2028-03-01T00:00:00Z')) * 1_000_000n;
  assert.equal(shown(dated(readMonthName('Feb 29 12:00:00', 0), { near })), '2028-02-29T12:00:00Z');
  assert.equal(dated(readMonthName('Feb 29 12:00:00', 0), { year: 2026 }).nanos, null);
});

test('without any year only the order is known', () => {
  const first = dated(readMonthName('Nov 30 12:03:41', 0), { year: null });
  const second = dated(readMonthName('Nov 30 12:03:42', 0), { year: null });
  assert.equal(first.nanos, null);
  assert.equal(first.basis, 'file_order');
  assert.equal(before(first, second), 'yes');
});

test('the clock of the kernel is dated by boot time, else it is an order', () => {
  const bootNanos = BigInt(Date.parse('2026-11-01T00:00:00Z')) * 1_000_000n;
  const anchored = dated(readKernelClock('[   60.000001]', 0), { bootNanos });
  assert.equal(anchored.nanos, bootNanos + 60_000_001_000n);
  assert.equal(anchored.basis, 'boot_anchored');
  assert.equal(anchored.plusMinus, 5_000_000_000n);
  const loose = dated(readKernelClock('[   60.000001]', 0));
  assert.equal(loose.nanos, null);
  assert.equal(before(loose, dated(readKernelClock('[   60.000002]', 0))), 'yes');
});

test('only stamps of one scale and one owner are exact to each other', () => {
  const boot = dated(readKernelClock('[   60.000001]', 0));
  const fine = dated(readIso('2026-11-30T12:03:41.2Z', 0));
  const coarse = dated(readIso('2026-11-30T12:03:41Z', 0));
  const projected = dated(readIso('2026-11-30T12:03:41,3+00:00', 0), {}, { projected: true });
  const other = dated(readIso('2026-11-30T12:03:41.3Z', 0), {}, { whose: 'rank 3' });
  assert.equal(new Set([boot, fine, coarse, projected, other].map(({ clock }) => clock)).size, 5);
  assert.equal(before(fine, other), 'unknown');
  assert.equal(before(fine, dated(readIso('2026-11-30T12:03:41.3Z', 0))), 'yes');
  assert.equal(projected.plusMinus, 5_000_000_000n);
});

test('a reading that occurs twice is an hour less sure, and orders nothing', () => {
  const berlin = { zone: 'Europe/Berlin', zoneAssumed: false };
  const a = dated(readIso('2026-10-25 02:50:00', 0), berlin);
  const b = dated(readIso('2026-10-25 02:10:00', 0), berlin);
  assert.equal(a.plusMinus, 3_602_000_000_000n);
  assert.equal(before(b, a), 'unknown');
});

test('a cell of a table is one stamp or no time', () => {
  const instant = dateIso('2026-11-30T12:03:41', dating);
  assert.equal(instant === null ? null : shown(instant), '2026-11-30T12:03:41Z');
  assert.equal(dateIso('Unknown', dating), null);
  assert.equal(dateIso('2026-11-30T12:03:41 and more', dating), null);
});
