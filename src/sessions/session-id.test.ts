import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { drawAhead, randomIds } from './session-id.ts';

test('ids are 22 url-safe characters holding all 128 bits', () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, at) => 255 - at);
  const id = randomIds(count => bytes.subarray(0, count))();
  assert.match(id, /^[A-Za-z0-9_-]{22}$/);
  assert.deepEqual(new Uint8Array(Buffer.from(id, 'base64url')), bytes);
});

test('ids do not repeat', () => {
  const next = randomIds(randomBytes);
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
  assert.equal(new Set(Array.from({ length: 1_000 }, randomIds(drawAhead(randomBytes)))).size, 1_000);
});
