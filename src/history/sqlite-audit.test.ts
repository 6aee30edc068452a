import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditEntry, auditLimits, auditStoreSuite } from '../../tests/support/audit-store-suite.ts';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { temporaryFolder } from '../../tests/support/service.ts';
import { openDatabase } from '../storage/database.ts';
import { sqliteAudit } from './sqlite-audit.ts';

auditStoreSuite('SQLite audit', async (clock, limits) => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const database = await openDatabase({ file: join(folder, 'state.sqlite') });
  return {
    store: sqliteAudit({ database, clock, limits }),
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});

test('SQLite audit: answers survive a restart', async context => {
  const file = join(temporaryFolder(context), 'state.sqlite');
  const clock = fakeClock();
  const entry = auditEntry(clock);
  const first = await openDatabase({ file });
  await sqliteAudit({ database: first, clock, limits: auditLimits }).record(entry);
  await first.close();
  const second = await openDatabase({ file });
  const found = await sqliteAudit({ database: second, clock, limits: auditLimits }).find('request-1', 10);
  await second.close();
  assert.deepEqual(found, [entry]);
});
