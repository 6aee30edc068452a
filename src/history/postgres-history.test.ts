import { after, before, suite } from 'node:test';
import { historyReplicasSuite, historyStoreSuite } from '../../tests/support/history-store-suite.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../../tests/support/postgres-cluster.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { postgresHistory } from './postgres-history.ts';

const programs = postgresPrograms();

suite('history on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  historyStoreSuite('PostgreSQL history', async (clock, limits) => {
    const database = await openPostgres(cluster.database());
    return { store: postgresHistory({ database, clock, limits }), close: () => database.close() };
  });

  historyReplicasSuite('PostgreSQL history', async clock => {
    const url = cluster.database();
    const databases = [await openPostgres(url), await openPostgres(url)];
    return {
      stores: databases.map(database => postgresHistory({ database, clock })),
      async close() {
        await Promise.all(databases.map(database => database.close()));
      },
    };
  });
});
