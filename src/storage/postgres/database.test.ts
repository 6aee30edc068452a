import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { until } from '../../../tests/support/daemon.ts';
import {
  expiredCertificate,
  testCertificate,
  testKey,
} from '../../../tests/support/fakes/test-certificates.ts';
import {
  type PostgresCluster,
  postgresPrograms,
  startPostgres,
} from '../../../tests/support/postgres-cluster.ts';
import { temporaryFolder } from '../../../tests/support/service.ts';
import { StartupError } from '../../core/errors.ts';
import { StorageError } from '../../core/storage-error.ts';
import { openPostgres, type PostgresDatabase } from './database.ts';
import { postgresMigrations } from './migrations.ts';
import type { PostgresSettings } from './settings.ts';

const programs = postgresPrograms();

suite('PostgreSQL database', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '', { tls: { certificate: testCertificate, key: testKey } });
  });
  after(() => cluster.close());

  async function refused(settings: PostgresSettings, says: RegExp): Promise<void> {
    await assert.rejects(openPostgres(settings), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /\n|cluster-password/);
      return true;
    });
  }

  test('replicas that start at once on an empty database all find the schema whole', async () => {
    const settings = cluster.database();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openPostgres(settings)));
    assert.equal(
      cluster.sql('SELECT count(*) FROM attribution_migrations', settings.database),
      String(postgresMigrations.length),
    );
    await Promise.all(opened.map(database => database.close()));
  });

  test('a unit is written whole or not at all, and the connection serves on', async () => {
    const database = await openPostgres(cluster.database());
    const twice = [session('a'), session('a')];
    await assert.rejects(database.run(twice), { name: 'StorageError', fault: 'failed' });
    assert.equal(await count(database), 0n);
    const [written] = await database.run([session('a'), session('b')]);
    assert.equal(written?.changes, 1);
    assert.equal(await count(database), 2n);
    await database.close();
    await assert.rejects(database.run([session('c')]), { fault: 'closed' });
  });

  test('a message of a failed statement quotes nothing that was to be stored', async () => {
    const database = await openPostgres(cluster.database());
    const text = { sql: 'SELECT $1::bigint AS n', values: ['stored-secret'] };
    await assert.rejects(database.run([text]), (error: Error) => {
      assert.doesNotMatch(error.message, /stored-secret/);
      return /22P02/.test(error.message);
    });
    await database.close();
  });

  test('a schema of a newer version is refused and left alone', async () => {
    const settings = cluster.database();
    await (await openPostgres(settings)).close();
    cluster.sql("INSERT INTO attribution_migrations VALUES (99, 'of the future')", settings.database);
    await refused(settings, /has schema 99, this version knows \d+: run the newer version/);
    assert.equal(cluster.sql('SELECT max(version) FROM attribution_migrations', settings.database), '99');
  });

  test("another program's tables are refused and left alone", async () => {
    const settings = cluster.database();
    cluster.sql('CREATE TABLE sessions (name text)', settings.database);
    await refused(settings, /holds a table sessions of another program: name a database of its own/);
    assert.equal(cluster.sql("SELECT to_regclass('attribution_migrations') IS NULL", settings.database), 't');
  });

  test('a database of another encoding is refused', async () => {
    const settings = { ...cluster.database(), database: 'latin' };
    cluster.sql("CREATE DATABASE latin OWNER attribution ENCODING 'LATIN1' TEMPLATE template0");
    await refused(settings, /has the encoding LATIN1: create the database with the encoding UTF8/);
  });

  test('what stops a connection is told in one line with its remedy', async () => {
    const settings = cluster.database();
    await refused({ ...settings, password: 'wrong' }, /refuses this user: check postgres.user, the password/);
    await refused({ ...settings, database: 'nowhere' }, /no such database: create it/);
    await refused({ ...settings, host: 'nowhere.invalid' }, /postgres.host|name service/);
    await refused({ ...settings, host: '/nowhere' }, /no socket of a server lies there/);
    await refused({ ...settings, passwordFile: '/nowhere', password: '' }, /postgres.passwordFile: \/nowhere/);
    cluster.sql('CREATE DATABASE foreign_owned');
    await refused({ ...settings, database: 'foreign_owned' }, /this user lacks a right there/);
    cluster.sql(`ALTER DATABASE ${settings.database} SET default_transaction_read_only = on`);
    await refused(settings, /takes no writes: name the primary/);
  });

  test('a port where nobody listens, and one where nobody answers', async context => {
    const silent = createServer().listen(0, '127.0.0.1');
    context.after(() => silent.close());
    await new Promise(resolve => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const settings = { ...cluster.database(), connectTimeoutMs: 300 };
    await refused({ ...settings, port }, /no connection within 300 ms/);
    await refused({ ...settings, port: 1 }, /PostgreSQL at 127.0.0.1:1, .*nothing listens there/);
  });

  test('by its unix socket, and with a password that is rotated in its file', async context => {
    const file = join(temporaryFolder(context), 'password');
    const settings = { ...cluster.database(), password: '', passwordFile: file };
    writeFileSync(file, 'cluster-password-1\n');
    const database = await openPostgres({ ...settings, connections: 1 });
    cluster.sql("ALTER ROLE attribution PASSWORD 'cluster-password-2'");
    writeFileSync(file, 'cluster-password-2\n');
    endConnections(settings.database);
    await database.run([one]).catch(() => {});
    await database.run([one]);
    await database.close();
    cluster.sql("ALTER ROLE attribution PASSWORD 'cluster-password-1'");
    await refused(settings, /refuses this user/);
    await (await openPostgres({ ...settings, host: cluster.folder, passwordFile: '' })).close();
  });

  test('a statement that waits too long for another fails as locked', async () => {
    const settings = { ...cluster.database(), statementTimeoutMs: 300 };
    const database = await openPostgres(settings);
    await database.run([session('a')]);
    const holder = await openPostgres({ ...settings, statementTimeoutMs: 10_000 });
    const update = { sql: "UPDATE sessions SET version = 1 WHERE id = 'a'", values: [] };
    const holding = holder.run([update, { sql: 'SELECT pg_sleep(2)::text AS slept', values: [] }]);
    const asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    await until('the holder sleeps', () => cluster.sql(asleep) === '1', 10_000);
    await assert.rejects(database.run([update]), { fault: 'locked' });
    await holding;
    await Promise.all([database.close(), holder.close()]);
  });

  test('connections that the server ends are replaced; while it is away units fail, afterwards they work', async () => {
    const settings = cluster.database();
    const database = await openPostgres(settings);
    await Promise.all(Array.from({ length: 8 }, () => database.run([one])));
    endConnections(settings.database);
    await until('connections are replaced', async () => (await database.run([one])).length === 1, 10_000);
    await database.run([session('a')]);
    await cluster.stop('SIGQUIT');
    await assert.rejects(database.run([session('b')]), { name: 'StorageError', fault: 'unreachable' });
    await cluster.start();
    await database.run([session('b')]);
    assert.equal(await count(database), 2n);
    await database.close();
  });

  test('connections to a server that takes no writes any more are given up for new ones', async () => {
    const settings = cluster.database();
    const database = await openPostgres({ ...settings, connections: 1 });
    cluster.sql(`ALTER DATABASE ${settings.database} SET default_transaction_read_only = on`);
    endConnections(settings.database);
    const becameStandby = async () => database.run([session('a')]).then(() => false, isReadOnly);
    await until('it takes no writes', becameStandby, 10_000);
    cluster.sql(`ALTER DATABASE ${settings.database} RESET default_transaction_read_only`);
    await database.run([session('a')]);
    await database.close();
  });

  test('a database of every earlier version is brought forward, and keeps what is in it', async () => {
    for (let version = 1; version < postgresMigrations.length; version += 1) {
      const settings = cluster.database();
      const steps = postgresMigrations.slice(0, version);
      const record = 'CREATE TABLE attribution_migrations (version BIGINT PRIMARY KEY, says TEXT NOT NULL);';
      const taken = steps.map(
        ({ sql }, at) => `${sql}; INSERT INTO attribution_migrations VALUES (${at + 1}, '');`,
      );
      const kept = "INSERT INTO sessions VALUES ('a', 0, 'w', 'f', 0, NULL, 0, '\\x01');";
      cluster.sql(`SET ROLE attribution; ${record} ${taken.join('\n')} ${kept}`, settings.database);
      const database = await openPostgres(settings);
      assert.equal(await count(database), 1n);
      const sql = 'SELECT max(version) AS last FROM attribution_migrations';
      const [last] = await database.run([{ sql, values: [] }]);
      assert.equal(last?.rows[0]?.['last'], BigInt(postgresMigrations.length));
      await database.close();
    }
  });

  test('TLS: verified by an authority and the name of the host, unverified where so set', async context => {
    const folder = temporaryFolder(context);
    const [certificate, key, expired] = ['cert.pem', 'key.pem', 'expired.pem'].map(name => join(folder, name));
    writeFileSync(certificate ?? '', testCertificate);
    writeFileSync(key ?? '', testKey);
    writeFileSync(expired ?? '', expiredCertificate);
    const settings = { ...cluster.database(), host: 'localhost' };
    const files = { caFile: certificate ?? '', certFile: '', keyFile: '' };
    const usesTls = async (change: Partial<PostgresSettings>): Promise<unknown> => {
      const database = await openPostgres({ ...settings, ...change });
      const sql = 'SELECT ssl::text AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const [result] = await database.run([{ sql, values: [] }]);
      await database.close();
      return result?.rows[0]?.['ssl'];
    };
    assert.equal(await usesTls({}), 'false');
    assert.equal(await usesTls({ tls: { ...files, mode: 'verified' } }), 'true');
    assert.equal(await usesTls({ tls: { ...files, mode: 'verified' }, host: '127.0.0.1' }), 'true');
    assert.equal(await usesTls({ tls: { ...files, mode: 'unverified', caFile: '' } }), 'true');
    const untrusted = { ...files, mode: 'verified', caFile: '' } as const;
    await refused(
      { ...settings, tls: untrusted },
      /certificate is not trusted \(.*\): check postgres.tls.caFile/,
    );
    await refused({ ...settings, tls: { ...untrusted, caFile: expired ?? '' } }, /certificate is not trusted/);
    const byOtherName = {
      ...settings,
      host: 'localhost.localdomain',
      tls: { ...files, mode: 'verified' },
    } as const;
    await refused(byOtherName, /certificate is not trusted \(ERR_TLS|postgres.host/);

    cluster.sql(
      `GRANT ALL ON SCHEMA public TO bearer; ALTER DATABASE ${settings.database} OWNER TO bearer`,
      settings.database,
    );
    cluster.sql('GRANT attribution TO bearer');
    const bearer = { ...settings, user: 'bearer' };
    const own = { ...files, mode: 'verified', certFile: certificate ?? '', keyFile: key ?? '' } as const;
    await (await openPostgres({ ...bearer, tls: own })).close();
    await refused({ ...bearer, tls: { ...files, mode: 'verified' } }, /refuses this user|certificate/);
  });

  function endConnections(database: string): void {
    cluster.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  }
});

const isReadOnly = (error: unknown): boolean => error instanceof StorageError && error.fault === 'read_only';

const one = { sql: 'SELECT 1 AS one', values: [] };

function session(id: string) {
  const sql = "INSERT INTO sessions VALUES ($1, 0, 'w', 'f', 0, NULL, 0, $2)";
  return { sql, values: [id, Uint8Array.of(1)] };
}

async function count(database: PostgresDatabase): Promise<unknown> {
  const [result] = await database.run([{ sql: 'SELECT count(*) AS n FROM sessions', values: [] }]);
  return result?.rows[0]?.['n'];
}
