import { after, before, suite } from 'node:test';
import { auditStoreSuite } from '../../tests/support/audit-store-suite.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../../tests/support/postgres-cluster.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { postgresAudit } from './postgres-audit.ts';

const programs = postgresPrograms();

suite('answers on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  auditStoreSuite('PostgreSQL audit', async (clock, limits) => {
    const database = await openPostgres(cluster.database());
    return { store: postgresAudit({ database, clock, limits }), close: () => database.close() };
  });
});
