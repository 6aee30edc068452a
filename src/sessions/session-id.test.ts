import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { millisecond } from '../core/time.ts';
import { drawAhead, randomIds } from './session-id.ts';

const clock = { now: () => 1_772_445_600_123n * millisecond };

test('ids are 30 url-safe characters: the time, then all 128 bits', () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, at) => 255 - at);
  const id = randomIds(clock, count => bytes.subarray(0, count))();
  assert.match(id, /^[A-Za-z0-9_-]{30}$/);
  const read = Buffer.from(id, 'base64url');
  assert.equal(read.readUIntBE(0, 6), 1_772_445_600_123);
  assert.deepEqual(new Uint8Array(read.subarray(6)), bytes);
});

test('ids do not repeat', () => {
  const next = randomIds(clock, randomBytes);
  assert.equal(new Set(Array.from({ length: 1_000 }, next)).size, 1_000);
});

test('randomness drawn ahead is handed out once and in order', () => {
  let next = 0;
  const counting = (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      next += 1;
      return (next * 7 + (next >> 8)) % 256;
    });
  const ahead = drawAhead(counting);
  const taken = [16, 16, 4_050, 5_000, 1].flatMap(count => [...ahead(count)]);
  next = 0;
  // What is left of a draw when more is asked for is not used.
  const expected = [
    ...counting(4_096).subarray(0, 4_082),
    ...counting(5_000),
    ...counting(4_096).subarray(0, 1),
  ];
  assert.deepEqual(taken, expected);
  assert.equal(new Set(Array.from({ length: 1_000 }, randomIds(clock, drawAhead(randomBytes)))).size, 1_000);
});
