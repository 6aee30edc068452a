import type { Pool, PoolClient } from 'pg';
import { StartupError } from '../../core/errors.ts';
import { StorageError } from '../../core/storage-error.ts';
import type { Database } from '../database.ts';
import type { Row, StatementResult } from '../statement.ts';
import { poolConfig } from './connections.ts';
import { placeOf, postgresFault } from './fault.ts';
import { migratePostgres } from './migrate.ts';
import { postgresMigrations } from './migrations.ts';
import type { PostgresSettings } from './settings.ts';
import { type PostgresStatement, type ReadyStatement, readyUnit, toPostgres } from './values.ts';

/** The shared store. */
export interface PostgresDatabase extends Database {
  /** Runs the unit in one transaction and resolves once the server has it safe. Rejects with StorageError. */
  run(unit: readonly PostgresStatement[]): Promise<readonly StatementResult[]>;
}

/** Two units may each wait for a row of the other's; the server then undoes one, which can be run again. */
const attempts = 3;
const undone: ReadonlySet<string> = new Set(['40P01', '40001']);

/** Longest time for a step of the schema, another replica's included. */
const migrationMs = 600_000;

/** Connects and brings the schema forward. Throws StartupError: a server that is away is not waited for. */
export async function openPostgres(settings: PostgresSettings): Promise<PostgresDatabase> {
  const { default: driver } = await import('pg');
  const pool = new driver.Pool(poolConfig(settings));
  // An idle connection that ends is replaced when one is needed.
  pool.on('error', () => {});
  try {
    await onConnection(pool, settings, client => {
      // Without values a text may hold several statements, as migrations do.
      const query = async (text: string, values?: readonly unknown[]) => {
        const asked = { text, ...(values === undefined ? {} : { values: [...values] }) };
        return (await client.query<Row>({ ...asked, ...{ query_timeout: migrationMs } })).rows;
      };
      return migratePostgres(query, postgresMigrations, placeOf(settings));
    });
  } catch (error) {
    await pool.end();
    throw new StartupError(postgresFault(error, settings).message, 1, { cause: error });
  }
  return databaseOn(pool, settings);
}

function databaseOn(pool: Pool, settings: PostgresSettings): PostgresDatabase {
  let isClosed = false;
  return {
    kind: 'postgres',
    async run(unit) {
      if (isClosed) throw new StorageError('closed', `${placeOf(settings)}: it is closed`);
      const ready = await readyUnit(unit);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await onConnection(pool, settings, client => runUnit(client, ready));
        } catch (error) {
          if (attempt < attempts && undone.has(sqlStateOf(error) ?? '')) continue;
          throw postgresFault(error, settings);
        }
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
}

/** Lends a connection. One that failed for any reason but the server's own word is not used again. */
async function onConnection<T>(
  pool: Pool,
  settings: PostgresSettings,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw postgresFault(error, settings);
  });
  let broken = false;
  try {
    return await use(client);
  } catch (error) {
    broken = endsConnection(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

async function runUnit(
  client: PoolClient,
  unit: readonly ReadyStatement[],
): Promise<readonly StatementResult[]> {
  const [only, ...others] = unit;
  if (only !== undefined && others.length === 0) return [await execute(client, only)];
  await client.query('BEGIN');
  try {
    const results: StatementResult[] = [];
    for (const statement of unit) results.push(await execute(client, statement));
    await client.query('COMMIT');
    return results;
  } catch (error) {
    if (!endsConnection(error)) await client.query('ROLLBACK');
    throw error;
  }
}

async function execute(client: PoolClient, { sql, values }: ReadyStatement): Promise<StatementResult> {
  const { rows, rowCount } = await client.query<Row>(sql, values.map(toPostgres));
  return { rows, changes: rowCount ?? 0 };
}

/**
 * A fault of the connection, or the server's last word before it ends one (57P01 and its like). One to a server that
 * takes no writes any more is of no use either: after a failover, a new one leads to the new primary.
 */
function endsConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === null || state.startsWith('57P') || state.startsWith('08') || state === '25006';
}

/** The five characters by which the server says what went wrong; null where it said nothing. */
function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
