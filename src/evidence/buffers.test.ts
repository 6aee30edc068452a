import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bufferPool } from './buffers.ts';

test('a released buffer is handed out again', () => {
  const pool = bufferPool(64);
  const first = pool.acquire();
  assert.equal(first.byteLength, 64);
  pool.release(first);
  assert.equal(pool.acquire(), first);
});

test('no more than the bound stays idle', () => {
  const pool = bufferPool(64, 2);
  const all = [pool.acquire(), pool.acquire(), pool.acquire()];
  for (const buffer of all) pool.release(buffer);
  const again = [pool.acquire(), pool.acquire(), pool.acquire()];
  assert.equal(again.filter(buffer => all.includes(buffer)).length, 2);
});

test('a buffer released twice is not handed out twice', () => {
  const pool = bufferPool(64);
  const buffer = pool.acquire();
  pool.release(buffer);
  pool.release(buffer);
  assert.equal(pool.acquire(), buffer);
  assert.notEqual(pool.acquire(), buffer);
});

test('a detached buffer is not recycled', () => {
  const pool = bufferPool(64);
  const buffer = pool.acquire();
  const moved = structuredClone(buffer, { transfer: [buffer] });
  pool.release(buffer);
  assert.notEqual(pool.acquire(), buffer);
  pool.release(moved);
  assert.equal(pool.acquire(), moved);
});

test('little text gets a small buffer, which is handed out again', () => {
  const pool = bufferPool(1024 * 1024);
  const small = pool.acquire(5_000);
  assert.ok(small.byteLength >= 5_000 && small.byteLength <= 16 * 1024, `${small.byteLength} bytes`);
  assert.equal(pool.acquire(200 * 1024).byteLength, pool.bytes);
  pool.release(small);
  assert.equal(pool.acquire(small.byteLength), small);
});
