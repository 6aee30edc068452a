import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { formatNanos } from '../core/time.ts';
import { systemClock } from './system-clock.ts';

test('the wall clock is in nanoseconds since 1970', () => {
  assert.equal(formatNanos(systemClock.now()).slice(0, 10), new Date().toISOString().slice(0, 10));
});

test('a timer runs once, also where its time lies beyond what timers can hold or behind', async () => {
  const ran: string[] = [];
  systemClock.after(-5, () => ran.push('past'));
  const cancel = systemClock.after(2 ** 31 + 10, () => ran.push('far'));
  const cancelled = systemClock.after(0, () => ran.push('cancelled'));
  cancelled();
  await wait(30);
  cancel();
  assert.deepEqual(ran, ['past']);
});

test('elapsed time never runs backwards', () => {
  const first = systemClock.elapsedMs();
  assert.ok(systemClock.elapsedMs() >= first);
});
