import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import { createBreaker } from './breaker.ts';

test('it opens after failures in a row, lets one request try after the pause, and closes if that is well', async () => {
  const clock = fakeClock();
  let opened = 0;
  const breaker = createBreaker({ failures: 2, pauseMs: 1000 }, clock, () => {
    opened += 1;
  });
  breaker.record(false);
  breaker.record(true);
  breaker.record(false);
  assert.ok(breaker.admits());
  breaker.record(false);
  assert.equal(opened, 1);
  assert.ok(!breaker.admits());
  await clock.advance(1000);
  assert.ok(breaker.admits());
  assert.ok(!breaker.admits());
  breaker.record(false);
  assert.ok(!breaker.admits());
  await clock.advance(1000);
  assert.ok(breaker.admits());
  breaker.record(null);
  assert.ok(breaker.admits());
  breaker.record(true);
  assert.ok(breaker.admits() && breaker.admits());
  assert.equal(opened, 1);
});
