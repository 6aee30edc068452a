import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, settle } from '../../tests/support/fake-clock.ts';
import { createBacklog } from './backlog.ts';

function waiter(work: Promise<void>): { readonly done: () => boolean } {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  return { done: () => isDone };
}

test('who pushes waits while more is unread than can be taken in quickly, each attributor for itself', async () => {
  const clock = fakeClock();
  const backlog = createBacklog(clock, 100);
  backlog.add('a', 100);
  await backlog.room('a');
  backlog.add('a', 1);
  const waits = waiter(backlog.room('a'));
  await backlog.room('b');
  await settle();
  assert.equal(waits.done(), false);
  backlog.taken('a', 1);
  await settle();
  assert.equal(waits.done(), true);
  assert.equal(clock.pending(), 0);
});

test('nobody waits for what nobody takes in, nor longer than ten seconds', async () => {
  const clock = fakeClock();
  const backlog = createBacklog(clock, 100);
  backlog.add('a', 500);
  const first = waiter(backlog.room('a'));
  backlog.release('a');
  await settle();
  assert.equal(first.done(), true);
  const second = waiter(backlog.room('a'));
  await clock.advance(9_999);
  assert.equal(second.done(), false);
  await clock.advance(1);
  assert.equal(second.done(), true);
});
