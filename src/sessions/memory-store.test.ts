import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { rememberedLog } from '../../tests/support/remembered-log.ts';
import { sampleSession } from '../../tests/support/sample-session.ts';
import { sessionStoreSuite } from '../../tests/support/session-store-suite.ts';
import { memorySessionStore } from './memory-store.ts';

sessionStoreSuite('memory', async (clock, log) => {
  const store = memorySessionStore({ clock, log });
  return { store, close: () => store.close() };
});

test('memory: beyond its number of sessions the oldest gives way', async () => {
  const store = memorySessionStore({ clock: fakeClock(), log: rememberedLog(), maxSessions: 2 });
  const sessions = ['a', 'b', 'c'].map(id => sampleSession(id));
  for (const session of sessions) await store.open(session);
  const known = await Promise.all(
    sessions.map(async ({ id, binding }) => (await store.get(id, binding)) !== null),
  );
  assert.deepEqual(known, [false, true, true]);
});
