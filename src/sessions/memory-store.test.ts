import { sessionStoreSuite } from '../../tests/support/session-store-suite.ts';
import { memorySessionStore } from './memory-store.ts';

sessionStoreSuite('memory', async (clock, log, limits) => {
  const store = memorySessionStore({ clock, log, limits });
  return { store, close: () => store.close() };
});
