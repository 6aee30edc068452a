import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { randomIds } from './session-id.ts';

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
