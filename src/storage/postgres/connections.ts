import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { PoolClient, PoolConfig } from 'pg';
import { StartupError } from '../../core/errors.ts';
import type { PostgresSettings, PostgresTls } from './settings.ts';
import { readerOf } from './values.ts';

/** Waited beyond the server's own time-out for its word that the time is up; after that it is taken for gone. */
const answerGraceMs = 1_000;

/** A connection is replaced after so long: the replicas spread again once a server has come back. */
const lifetimeSeconds = 1_800;

/** Every connection's settings. Throws StartupError where a file named cannot be read. */
export function poolConfig(settings: PostgresSettings): PoolConfig {
  const { host, port, database, user, connections, connectTimeoutMs, statementTimeoutMs } = settings;
  const password = passwordOf(settings);
  return {
    host,
    port,
    database,
    user,
    ...(password === null ? {} : { password }),
    ssl: tlsOptions(settings.tls, host),
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + answerGraceMs,
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'attribution-adapter',
    types: { getTypeParser: readerOf as NonNullable<PoolConfig['types']>['getTypeParser'] },
    // The pool waits for what this returns, whatever its type says.
    onConnect: client => prepare(client as PoolClient, statementTimeoutMs),
  };
}

/** What an acknowledgement means must not depend on the defaults of the server, the database or the role. */
async function prepare(client: PoolClient, statementTimeoutMs: number): Promise<void> {
  // Without a listener, a connection lost while it is used would end the process.
  client.on('error', () => {});
  await client.query(`
    SET statement_timeout = ${statementTimeoutMs};
    SET idle_in_transaction_session_timeout = ${statementTimeoutMs + answerGraceMs};
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`);
}

/** Read at start-up to tell mistakes then, and for every connection, so that a password can be rotated. */
function passwordOf({ password, passwordFile }: PostgresSettings): string | (() => string) | null {
  if (password !== '') return password;
  if (passwordFile === '') return null;
  readNamed(passwordFile, 'postgres.passwordFile');
  return () => readFileSync(passwordFile, 'utf8').trim();
}

function tlsOptions({ mode, caFile, certFile, keyFile }: PostgresTls, host: string): ConnectionOptions | false {
  if (mode === 'off') return false;
  return {
    rejectUnauthorized: mode === 'verified',
    // Whose certificate is wanted; for an address the driver says nothing, and any certificate of localhost would do.
    host,
    ...(caFile === '' ? {} : { ca: readNamed(caFile, 'postgres.tls.caFile') }),
    ...(certFile === '' ? {} : { cert: readNamed(certFile, 'postgres.tls.certFile') }),
    ...(keyFile === '' ? {} : { key: readNamed(keyFile, 'postgres.tls.keyFile') }),
  };
}

/** Files of the settings that cannot be read, each with the member that names it. */
export function unreadableFiles({
  passwordFile,
  tls,
}: PostgresSettings): readonly { readonly member: string; readonly says: string }[] {
  const { caFile, certFile, keyFile } = tls;
  const named = { passwordFile, 'tls.caFile': caFile, 'tls.certFile': certFile, 'tls.keyFile': keyFile };
  return Object.entries(named).flatMap(([member, path]) => {
    try {
      if (path !== '') readNamed(path, `postgres.${member}`);
      return [];
    } catch (error) {
      return [{ member, says: (error as Error).message }];
    }
  });
}

function readNamed(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new StartupError(`${setting}: ${path} cannot be read (${code}): give a file that this user may read`);
  }
}
