import { StorageError } from '../../core/storage-error.ts';
import type { Migration } from '../migrations.ts';

/** Runs one text, in the transaction of its connection, and returns its rows. */
export type Query = (
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** One number for every replica: whoever holds it migrates. */
const lockKey = '4707192655182196';

/**
 * Brings the schema forward, all steps in one transaction. Replicas that start at once wait for the one that came
 * first and then find nothing to do. Throws `newer` where a later version migrated, `foreign` where the tables are
 * another program's, and changes nothing then.
 */
export async function migratePostgres(
  query: Query,
  migrations: readonly Migration[],
  place: string,
): Promise<void> {
  await query('BEGIN');
  try {
    // Waiting for another replica's migration is no hang: it may rewrite a large table.
    await query('SET LOCAL statement_timeout = 0');
    await query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await checkEncoding(query, place);
    const version = await versionOf(query, place);
    if (version > migrations.length) {
      throw new StorageError(
        'newer',
        `${place} has schema ${version}, this version knows ${migrations.length}: run the newer version again, or name another database`,
      );
    }
    for (const [at, { says, sql }] of migrations.slice(version).entries()) {
      await query(sql);
      await query('INSERT INTO attribution_migrations VALUES ($1, $2)', [version + at + 1, says]);
    }
    await query('COMMIT');
  } catch (error) {
    // The connection may be what failed; the server undoes the transaction then.
    await query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function checkEncoding(query: Query, place: string): Promise<void> {
  const [row] = await query("SELECT current_setting('server_encoding') AS encoding");
  if (row?.['encoding'] === 'UTF8') return;
  throw new StorageError(
    'foreign',
    `${place} has the encoding ${String(row?.['encoding'])}: create the database with the encoding UTF8`,
  );
}

/** How many steps were taken; a database that has tables of ours but no record of steps is another program's. */
async function versionOf(query: Query, place: string): Promise<number> {
  const [known] = await query("SELECT to_regclass('attribution_migrations') IS NOT NULL AS known");
  if (known?.['known'] === 't') {
    const [row] = await query('SELECT coalesce(max(version), 0) AS version FROM attribution_migrations');
    return Number(row?.['version']);
  }
  const foreign = await query(
    "SELECT name FROM unnest(ARRAY['sessions', 'pushed', 'attributors', 'history', 'probe', 'audit', 'cited', 'marks']) AS name WHERE to_regclass(name) IS NOT NULL",
  );
  if (foreign.length > 0) {
    throw new StorageError(
      'foreign',
      `${place} holds a table ${String(foreign[0]?.['name'])} of another program: name a database of its own`,
    );
  }
  await query('CREATE TABLE attribution_migrations (version BIGINT PRIMARY KEY, says TEXT NOT NULL)');
  return 0;
}
