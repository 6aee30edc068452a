import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { markStoreSuite } from '../../tests/support/mark-store-suite.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../../tests/support/postgres-cluster.ts';
import { temporaryFolder } from '../../tests/support/service.ts';
import { openDatabase } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { databaseMarks } from './database-marks.ts';

markStoreSuite('marks on SQLite', async (clock, keptNanos) => {
  const folder = mkdtempSync(join(tmpdir(), 'marks-'));
  const database = await openDatabase({ file: join(folder, 'state.sqlite') });
  return {
    store: databaseMarks({ database, clock, keptNanos }),
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});

test('marks on SQLite survive a restart', async context => {
  const file = join(temporaryFolder(context), 'state.sqlite');
  const clock = fakeClock();
  const mark = { about: 'session-1', truth: { kind: 'application' }, note: '', at: clock.now() } as const;
  const first = await openDatabase({ file });
  await databaseMarks({ database: first, clock, keptNanos: 1n }).record(mark);
  await first.close();
  const second = await openDatabase({ file });
  assert.deepEqual(await databaseMarks({ database: second, clock, keptNanos: 1n }).all(), [mark]);
  await second.close();
});

const programs = postgresPrograms();

suite('marks on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  markStoreSuite('PostgreSQL', async (clock, keptNanos) => {
    const database = await openPostgres(cluster.database());
    return { store: databaseMarks({ database, clock, keptNanos }), close: () => database.close() };
  });
});
