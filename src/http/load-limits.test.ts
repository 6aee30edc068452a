import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLimits } from './load-limits.ts';

test('so many are let in, and another once one has left', () => {
  const limits = loadLimits({ mostRequests: 2, mostPerCaller: 0 });
  const leave = limits.enter(null);
  assert.notEqual(limits.enter('a'), null);
  assert.equal(limits.enter(null), null);
  leave?.();
  leave?.();
  assert.notEqual(limits.enter('b'), null);
  assert.equal(limits.enter('b'), null);
});

test('one caller does not take the places of the others', () => {
  const limits = loadLimits({ mostRequests: 3, mostPerCaller: 1 });
  const leave = limits.enter('a');
  assert.equal(limits.enter('a'), null);
  assert.notEqual(limits.enter('b'), null);
  leave?.();
  assert.notEqual(limits.enter('a'), null);
});
