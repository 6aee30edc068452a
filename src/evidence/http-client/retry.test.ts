import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import { failure, statusFailure } from './failure.ts';
import { pause, retryAfterMs, waitBeforeRetry } from './retry.ts';

const settings = { retries: 2, baseMs: 100, patienceMs: 5000 };

test('waits grow, are spread, and end with the number of retries', () => {
  const reset = failure('reset', 'broke off');
  assert.equal(
    waitBeforeRetry(reset, 0, settings, () => 0.5),
    50,
  );
  assert.equal(
    waitBeforeRetry(reset, 1, settings, () => 0.5),
    100,
  );
  assert.equal(
    waitBeforeRetry(reset, 2, settings, () => 0.5),
    null,
  );
});

test('only what passes is tried again', () => {
  const waits = (status: number) =>
    waitBeforeRetry(statusFailure(status, '', null), 0, settings, () => 1) !== null;
  assert.deepEqual([429, 500, 502, 503, 504].map(waits), [true, true, true, true, true]);
  assert.deepEqual([400, 401, 403, 404, 422, 501].map(waits), [false, false, false, false, false, false]);
  assert.equal(
    waitBeforeRetry(failure('timed_out', ''), 0, settings, () => 1),
    null,
  );
  assert.equal(
    waitBeforeRetry(failure('tls', ''), 0, settings, () => 1),
    null,
  );
});

test('the server decides how long, unless that is too long', () => {
  assert.equal(
    waitBeforeRetry(statusFailure(429, '', 3000), 0, settings, () => 0.5),
    3000,
  );
  assert.equal(
    waitBeforeRetry(statusFailure(429, '', 6000), 0, settings, () => 0.5),
    null,
  );
});

test('Retry-After is seconds or a date', () => {
  const clock = fakeClock();
  assert.equal(retryAfterMs('7', clock), 7000);
  assert.equal(retryAfterMs('Wed, 09 Sep 2026 12:00:10 GMT', clock), 10_000);
  assert.equal(retryAfterMs('Wed, 09 Sep 2026 11:00:00 GMT', clock), 0);
  for (const nonsense of ['soon', '-1', '', '9'.repeat(30)]) assert.equal(retryAfterMs(nonsense, clock), null);
  assert.equal(retryAfterMs(null, clock), null);
});

test('a pause ends with its time or with the signal, and leaves no timer', async () => {
  const clock = fakeClock();
  const leave = new AbortController();
  const waited = pause(100, clock, leave.signal);
  await clock.advance(100);
  assert.equal(await waited, true);
  const cut = pause(100, clock, leave.signal);
  leave.abort();
  assert.equal(await cut, false);
  assert.equal(clock.pending(), 0);
});
