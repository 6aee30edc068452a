import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, settle } from '../../tests/support/fake-clock.ts';
import { bodyRoom } from './body-room.ts';

test('who finds no room waits for it, in the order of coming', async () => {
  const room = bodyRoom(100, 1_000, fakeClock());
  const leave = await room.take(80);
  const came: string[] = [];
  const large = room.take(90).then(next => {
    came.push('large');
    return next;
  });
  const small = room.take(10).then(next => {
    came.push('small');
    return next;
  });
  await settle();
  assert.deepEqual(came, []);
  leave?.();
  leave?.();
  await Promise.all([large, small]);
  assert.deepEqual(came, ['large', 'small']);
  (await large)?.();
  assert.notEqual(await room.take(90), null);
});

test('a body that is larger than all room is let in alone', async () => {
  const room = bodyRoom(100, 1_000, fakeClock());
  const leave = await room.take(1_000);
  assert.notEqual(leave, null);
  const next = room.take(1);
  leave?.();
  assert.notEqual(await next, null);
});

test("patience ends, and who gave up stands in nobody's way", async () => {
  const clock = fakeClock();
  const room = bodyRoom(100, 1_000, clock);
  const leave = await room.take(100);
  const late = room.take(100);
  await clock.advance(1_000);
  assert.equal(await late, null);
  const next = room.take(50);
  leave?.();
  assert.notEqual(await next, null);
});
