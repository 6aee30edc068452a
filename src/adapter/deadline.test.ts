import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, settle } from '../../tests/support/fake-clock.ts';
import { deadlineTimes, startDeadline } from './deadline.ts';

const cases: readonly (readonly [string, number, { softMs: number; hardMs: number }])[] = [
  ['10 % are kept in reserve', 10_000, { softMs: 9_000, hardMs: 10_000 }],
  ['at least 100 ms', 500, { softMs: 400, hardMs: 500 }],
  ['at most half of the time allowed', 100, { softMs: 50, hardMs: 100 }],
  ['ten minutes are the most', 3_600_000, { softMs: 540_000, hardMs: 600_000 }],
  ['the greatest integer is clamped as well', Number.MAX_SAFE_INTEGER, { softMs: 540_000, hardMs: 600_000 }],
  ['zero allows nothing', 0, { softMs: 0, hardMs: 0 }],
  ['a negative time allows nothing', -5, { softMs: 0, hardMs: 0 }],
];
for (const [claim, timeoutMs, expected] of cases) {
  test(claim, () => assert.deepEqual(deadlineTimes(timeoutMs, 600_000), expected));
}

test('soft aborts first, then the time is up', async () => {
  const clock = fakeClock();
  const deadline = startDeadline(clock, { softMs: 900, hardMs: 1_000 });
  const never = deadline.within(new Promise(() => {}));
  await clock.advance(899);
  assert.equal(deadline.soft.aborted, false);
  await clock.advance(1);
  assert.deepEqual([deadline.soft.aborted, deadline.isOver()], [true, false]);
  await clock.advance(100);
  assert.equal(deadline.isOver(), true);
  assert.equal(await never, null);
});

test('a promise in time keeps its value', async () => {
  const deadline = startDeadline(fakeClock(), { softMs: 900, hardMs: 1_000 });
  assert.equal(await deadline.within(Promise.resolve(7)), 7);
});

test('a caller that hangs up ends the reading, and after the reserve the waiting', async () => {
  const clock = fakeClock();
  const gone = new AbortController();
  const deadline = startDeadline(clock, { softMs: 9_000, hardMs: 10_000 }, gone.signal);
  gone.abort();
  await settle();
  assert.equal(deadline.soft.aborted, true);
  await clock.advance(1_000);
  assert.equal(deadline.isOver(), true);
});

test('one that is hurried ends the reading now and the waiting soon', async () => {
  const clock = fakeClock();
  const deadline = startDeadline(clock, { softMs: 90_000, hardMs: 100_000 });
  deadline.hurry(2_000);
  assert.deepEqual([deadline.soft.aborted, deadline.isOver()], [true, false]);
  await clock.advance(2_000);
  assert.equal(deadline.isOver(), true);
});

test('an ended deadline leaves no timer behind', () => {
  const clock = fakeClock();
  startDeadline(clock, { softMs: 900, hardMs: 1_000 }).end();
  assert.equal(clock.pending(), 0);
});
