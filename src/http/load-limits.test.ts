import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LoadSettings, loadLimits } from './load-limits.ts';

const settings: LoadSettings = { mostRequests: 2, mostPerCaller: 0, mostBytes: 1_000 };

test('so many are let in, and another once one has left', () => {
  const limits = loadLimits(settings);
  const leave = limits.enter(null, 0);
  assert.notEqual(limits.enter('a', 0), null);
  assert.equal(limits.enter(null, 0), null);
  leave?.();
  leave?.();
  assert.notEqual(limits.enter('b', 0), null);
  assert.equal(limits.enter('b', 0), null);
});

test('one caller does not take the places of the others', () => {
  const limits = loadLimits({ ...settings, mostRequests: 3, mostPerCaller: 1 });
  const leave = limits.enter('a', 0);
  assert.equal(limits.enter('a', 0), null);
  assert.notEqual(limits.enter('b', 0), null);
  leave?.();
  assert.notEqual(limits.enter('a', 0), null);
});

test('bodies take no more memory together than is allowed, and one that alone takes more is let in alone', () => {
  const limits = loadLimits({ ...settings, mostRequests: 10 });
  const leave = limits.enter(null, 5_000);
  assert.notEqual(leave, null);
  assert.equal(limits.enter(null, 1), null);
  leave?.();
  assert.notEqual(limits.enter(null, 600), null);
  assert.equal(limits.enter(null, 401), null);
  assert.notEqual(limits.enter(null, 400), null);
});

test('who is refused is told to come back at the pace at which places come free', () => {
  let now = 0;
  const limits = loadLimits({ ...settings, mostRequests: 1 }, () => now);
  const stay = (ms: number): void => {
    const leave = limits.enter(null, 0);
    now += ms;
    leave?.();
  };
  for (let count = 0; count < 20; count += 1) stay(10);
  limits.enter(null, 0);
  assert.equal(limits.enter(null, 0), null);
  assert.equal(limits.retryAfterSeconds(), 1);
  // Nobody has left for a while, and nobody knows whether anybody will.
  now += 7_500;
  assert.equal(limits.retryAfterSeconds(), 8);
  now += 600_000;
  assert.equal(limits.retryAfterSeconds(), 60);
});

test('the more are refused, the longer they are sent away for', () => {
  let now = 0;
  const limits = loadLimits({ ...settings, mostRequests: 1 }, () => now);
  for (let count = 0; count < 30; count += 1) {
    const leave = limits.enter(null, 0);
    now += 1_000;
    leave?.();
  }
  limits.enter(null, 0);
  const told = Array.from({ length: 5 }, () => {
    limits.enter(null, 0);
    return limits.retryAfterSeconds();
  });
  assert.deepEqual(told, [1, 2, 3, 4, 5]);
});
