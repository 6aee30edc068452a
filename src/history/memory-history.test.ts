import { historyStoreSuite } from '../../tests/support/history-store-suite.ts';
import { memoryHistory } from './memory-history.ts';

historyStoreSuite('memory history', async (clock, limits) => {
  const store = memoryHistory({ clock }, limits);
  return { store, close: () => store.close() };
});
