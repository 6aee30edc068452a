import { auditStoreSuite } from '../../tests/support/audit-store-suite.ts';
import { memoryAudit } from './memory-audit.ts';

auditStoreSuite('audit in memory', async (clock, limits) => {
  const store = memoryAudit({ clock }, limits);
  return { store, close: () => store.close() };
});
