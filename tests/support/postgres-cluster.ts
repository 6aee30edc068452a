import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresSettings } from '../../src/storage/postgres/settings.ts';
import { type Daemon, startDaemon, until } from './daemon.ts';
import { freePort } from './free-port.ts';
import { isInstalled } from './installed.ts';

/** A PostgreSQL server of this test's own, on a free port of the loopback address, that wants a password there. */
export interface PostgresCluster {
  readonly port: number;
  /** Its folder, which also holds its socket. */
  readonly folder: string;
  /** Makes an empty database and returns how it is reached. */
  database(): PostgresSettings;
  /** Runs SQL as the superuser and returns what it printed. */
  sql(text: string, database?: string): string;
  start(): Promise<void>;
  /** `SIGQUIT` is an immediate shutdown: what it leaves is repaired at the next start. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops it and removes everything. */
  close(): Promise<void>;
}

/** Where PostgreSQL's programs lie, installed if need be; null where they cannot be, and tests skip by name. */
export function postgresPrograms(): string | null {
  const found = programFolder();
  if (found !== null) return found;
  isInstalled(['pg_ctlcluster'], ['postgresql']);
  return programFolder();
}

/** Debian keeps each version's programs in a folder of its own, outside the path. */
function programFolder(): string | null {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).toSorted().reverse() : [];
  const folders = [...found.map(version => join(versions, version, 'bin')), '/usr/bin', '/usr/local/bin'];
  const programs = ['initdb', 'postgres', 'psql'];
  return folders.find(folder => programs.every(program => existsSync(join(folder, program)))) ?? null;
}

const password = 'cluster-password-1';
const access = [
  'local all all trust',
  'hostssl all bearer 127.0.0.1/32 scram-sha-256 clientcert=verify-ca',
  'host all bearer 127.0.0.1/32 reject',
  'host all all 127.0.0.1/32 scram-sha-256',
];

export interface PostgresOptions {
  /** What it acknowledges is on the disk, for those that kill it. */
  readonly isDurable?: boolean;
  /** It offers TLS; to the role `bearer` it asks for this very certificate. */
  readonly tls?: { readonly certificate: string; readonly key: string } | null;
}

export async function startPostgres(
  programs: string,
  { isDurable = false, tls = null }: PostgresOptions = {},
): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-postgres-'));
  const data = join(folder, 'data');
  const user = serverUser();
  const port = await freePort();
  let daemon: Daemon | null = null;
  let databases = 0;

  /** The server refuses to run as root. */
  function asServer(program: string, args: readonly string[], leash: readonly string[]): [string, string[]] {
    const path = join(programs, program);
    if (user === null) return [path, [...args]];
    return ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...leash, path, ...args]];
  }

  function execute(program: string, args: readonly string[], input = ''): string {
    const [first, rest] = asServer(program, args, []);
    return execFileSync(first, rest, { input, encoding: 'utf8', cwd: folder, stdio: 'pipe' });
  }

  const cluster: PostgresCluster = {
    port,
    folder,
    sql(text, database = 'postgres') {
      const connection = ['-h', folder, '-p', String(port), '-U', 'postgres', '-d', database];
      return execute('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', ...connection], text).trim();
    },
    database() {
      databases += 1;
      const name = `attribution_${databases}`;
      cluster.sql(`CREATE DATABASE ${name} OWNER attribution`);
      return { ...settingsHere, port, database: name };
    },
    async start() {
      const speed = isDurable ? [] : ['-c', 'fsync=off'];
      const place = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
      const args = [...place, ...speed, ...(tls === null ? [] : tlsArguments)];
      const [first, rest] = asServer('postgres', args, ['--pdeathsig', 'KILL']);
      daemon = startDaemon(first, rest, { cwd: folder });
      await until('PostgreSQL starts', () => cluster.sql('SELECT 1') === '1', 60_000, [daemon]);
    },
    async stop(signal = 'SIGINT') {
      await daemon?.stop(signal);
      daemon = null;
    },
    async close() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    if (user !== null) chownSync(folder, user, user);
    execute('initdb', ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--no-locale', '-A', 'trust', '--no-sync']);
    writeFileSync(
      join(data, 'pg_hba.conf'),
      access.filter(line => tls !== null || !line.includes('ssl')).join('\n'),
    );
    if (tls !== null) {
      writeFileSync(join(data, 'server.crt'), tls.certificate);
      writeFileSync(join(data, 'server.key'), tls.key, { mode: 0o600 });
      if (user !== null) chownSync(join(data, 'server.key'), user, user);
    }
    await cluster.start();
    for (const role of ['attribution', 'bearer'])
      cluster.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

const tlsArguments = ['-c', 'ssl=on', '-c', 'ssl_ca_file=server.crt'];

const settingsHere = {
  host: '127.0.0.1',
  user: 'attribution',
  password,
  passwordFile: '',
  tls: { mode: 'off', caFile: '', certFile: '', keyFile: '' },
  connections: 8,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
} as const;

/** As whom the server runs where tests run as root: any number will do, since it only wants to own its files. */
export function serverUser(): number | null {
  return process.getuid?.() === 0 ? 65_534 : null;
}
