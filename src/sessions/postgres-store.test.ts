import { after, before, suite } from 'node:test';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../../tests/support/postgres-cluster.ts';
import { sessionStoreSuite } from '../../tests/support/session-store-suite.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { databaseSessionStore } from './database-store.ts';

const programs = postgresPrograms();

suite('sessions on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  sessionStoreSuite('PostgreSQL', async (clock, log, limits) => {
    const database = await openPostgres(cluster.database());
    return { store: databaseSessionStore({ database, clock, log, limits }), close: () => database.close() };
  });
});
