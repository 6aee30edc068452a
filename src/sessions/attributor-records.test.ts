import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite } from 'node:test';
import { attributorRecordsSuite } from '../../tests/support/attributor-records-suite.ts';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../../tests/support/postgres-cluster.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import { openDatabase } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { databaseAttributorRecords, memoryAttributorRecords } from './attributor-records.ts';
import { databaseSessionStore } from './database-store.ts';
import { memorySessionStore } from './memory-store.ts';

const surroundings = { clock: fakeClock(), log: silentLog };

attributorRecordsSuite('attributors in memory', async () => {
  const sessions = memorySessionStore(surroundings);
  return { records: memoryAttributorRecords(), sessions, close: () => sessions.close() };
});

attributorRecordsSuite('SQLite attributors', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attributors-'));
  const database = await openDatabase({ file: join(folder, 'state.sqlite') });
  return {
    records: databaseAttributorRecords(database),
    sessions: databaseSessionStore({ database, ...surroundings }),
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});

const programs = postgresPrograms();

suite('on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  attributorRecordsSuite('PostgreSQL attributors', async () => {
    const database = await openPostgres(cluster.database());
    return {
      records: databaseAttributorRecords(database),
      sessions: databaseSessionStore({ database, ...surroundings }),
      close: () => database.close(),
    };
  });
});
