import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, startDaemon, until } from './daemon.ts';
import { freePort } from './free-port.ts';
import { pathOf } from './installed.ts';
import { checkout } from './service.ts';

export const slurmPrograms = [
  'munged',
  'slurmctld',
  'slurmd',
  'slurmdbd',
  'slurmrestd',
  'sacct',
  'scontrol',
  'mariadbd',
  'mariadb-install-db',
] as const;
export const slurmPackages = [
  'munge',
  'slurmctld',
  'slurmd',
  'slurmrestd',
  'slurm-client',
  'slurm-wlm-jwt-plugin',
  'slurmdbd',
  'mariadb-server',
] as const;

/** A cluster of two nodes on this machine, with accounting and its REST daemon. */
export interface SlurmCluster {
  readonly folder: string;
  readonly restUrl: string;
  readonly restSocket: string;
  readonly tokenFile: string;
  /** What the commands need in their environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command of Slurm and returns what it printed. */
  run(program: string, ...parameters: readonly string[]): string;
  /** Submits a script and returns the id of its job. */
  submit(script: string, ...parameters: readonly string[]): string;
  /** Lets a node vanish, as by a power failure. */
  killNode(name: 'node-01' | 'node-02'): Promise<void>;
  close(): Promise<void>;
}

/** Nobody: slurmrestd refuses to run as root, or as the user of the controller. */
const nobody = 65534;

/** Starts every daemon below one temporary folder; the end of a job is told to the service at `hookUrl`. Throws with their output where one does not come up. */
export async function startSlurmCluster(hookUrl: string): Promise<SlurmCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-slurm-'));
  chmodSync(folder, 0o755);
  const daemons: Daemon[] = [];
  const nodes = new Map<string, Daemon>();
  const close = async (): Promise<void> => {
    for (const daemon of [...daemons].reverse()) await daemon.stop();
    endSteps(join(folder, 'slurm.conf'));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await startParts(folder, hookUrl, daemons, nodes, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Steps of a node that was killed live on, without parent; they carry the configuration that no one else has. */
function endSteps(configuration: string): void {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(join('/proc', pid, 'environ'), 'latin1').split('\0');
      if (variables.includes(`SLURM_CONF=${configuration}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended meanwhile, or is not ours to look at.
    }
  }
}

interface Ports {
  readonly controller: number;
  readonly nodes: readonly [number, number];
  readonly accounting: number;
  readonly database: number;
  readonly rest: number;
}

async function startParts(
  folder: string,
  hookUrl: string,
  daemons: Daemon[],
  nodes: Map<string, Daemon>,
  close: () => Promise<void>,
): Promise<SlurmCluster> {
  const at = (...parts: readonly string[]): string => join(folder, ...parts);
  const ports: Ports = {
    controller: await freePort(),
    nodes: [await freePort(), await freePort()],
    accounting: await freePort(),
    database: await freePort(),
    rest: await freePort(),
  };
  for (const name of ['run', 'state', 'rest', 'my', 'jobs']) mkdirSync(at(name), { mode: 0o755 });
  chownSync(at('rest'), nobody, nobody);
  writeFileSync(at('munge.key'), randomBytes(128), { mode: 0o400 });
  writeFileSync(at('state', 'jwt.key'), randomBytes(32), { mode: 0o600 });
  writeHook(folder, hookUrl);
  writeFileSync(at('slurm.conf'), slurmConfiguration(folder, ports));
  writeFileSync(at('slurmdbd.conf'), accountingConfiguration(folder, ports), { mode: 0o600 });
  const environment = { SLURM_CONF: at('slurm.conf'), TZ: 'UTC' };
  const start = (program: string, ...parameters: readonly string[]): Daemon => {
    const daemon = startDaemon(pathOf(program), parameters, { env: environment });
    daemons.push(daemon);
    return daemon;
  };
  const run = (program: string, ...parameters: readonly string[]): string =>
    execFileSync(pathOf(program), parameters, {
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
      timeout: 30_000,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: at('jobs'),
    });

  start(
    'munged',
    '--foreground',
    '--force',
    `--key-file=${at('munge.key')}`,
    `--socket=${at('run', 'munge.sock')}`,
    `--pid-file=${at('run', 'munged.pid')}`,
    `--log-file=${at('munged.log')}`,
    `--seed-file=${at('munge.seed')}`,
  );
  await startDatabase(folder, ports, start, daemons);
  start('slurmdbd', '-D');
  await until(
    'slurmdbd takes the cluster',
    () => run('sacctmgr', '-i', 'add', 'cluster', 'testing').includes('testing'),
    60_000,
    daemons,
  );
  start('slurmctld', '-D', '-f', at('slurm.conf'));
  for (const name of ['node-01', 'node-02']) {
    nodes.set(name, start('slurmd', '-N', name, '-D', '-f', at('slurm.conf')));
  }
  await until(
    'both nodes are idle',
    () => run('sinfo', '-h', '-o', '%T %D').trim() === 'idle 2',
    60_000,
    daemons,
  );
  const token = run('scontrol', 'token', 'username=root', 'lifespan=3600').trim().replace('SLURM_JWT=', '');
  writeFileSync(at('token'), `${token}\n`, { mode: 0o600 });
  const rest = startDaemon(
    pathOf('setpriv'),
    [
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      '--clear-groups',
      pathOf('slurmrestd'),
      '-a',
      'rest_auth/jwt',
      '-s',
      'openapi/v0.0.38,openapi/dbv0.0.38',
      `127.0.0.1:${ports.rest}`,
      `unix:${at('rest', 'sock')}`,
    ],
    { env: { ...environment, SLURM_JWT: 'daemon' } },
  );
  daemons.push(rest);
  const restUrl = `http://127.0.0.1:${ports.rest}`;
  await until(
    'slurmrestd answers',
    async () => (await fetch(`${restUrl}/openapi/v3`)).status > 0,
    30_000,
    daemons,
  );
  return {
    folder,
    restUrl,
    restSocket: at('rest', 'sock'),
    tokenFile: at('token'),
    environment,
    run,
    submit(script, ...parameters) {
      writeFileSync(at('jobs', 'script.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return run('sbatch', '--parsable', ...parameters, at('jobs', 'script.sh')).trim();
    },
    killNode: async name => nodes.get(name)?.stop('SIGKILL'),
    close,
  };
}

async function startDatabase(
  folder: string,
  { database }: Ports,
  start: (program: string, ...parameters: readonly string[]) => Daemon,
  daemons: readonly Daemon[],
): Promise<void> {
  const data = join(folder, 'my');
  const socket = join(folder, 'run', 'my.sock');
  execFileSync(
    pathOf('mariadb-install-db'),
    [
      '--no-defaults',
      '--user=mysql',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { stdio: 'ignore', timeout: 120_000 },
  );
  chmodSync(join(folder, 'run'), 0o777);
  start(
    'mariadbd',
    '--no-defaults',
    '--user=mysql',
    `--datadir=${data}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'run', 'my.pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${database}`,
    '--innodb-buffer-pool-size=32M',
  );
  const sql = (text: string): string =>
    execFileSync(pathOf('mariadb'), ['--no-defaults', '-u', 'root', `--socket=${socket}`, '-e', text], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  await until('the database answers', () => sql('select 1').includes('1'), 60_000, daemons);
  sql(
    "create database slurm_acct_db; create user 'slurm'@'127.0.0.1' identified by 'local'; grant all on slurm_acct_db.* to 'slurm'@'127.0.0.1'",
  );
}

/** The hook that ships, with settings of its own. */
function writeHook(folder: string, url: string): void {
  const settings = join(folder, 'hook.conf');
  const configuration = join(folder, 'slurm.conf');
  writeFileSync(settings, `ATTRIBUTION_URL=${url}\nATTRIBUTION_DELAY_S=0\nSLURM_CONF=${configuration}\n`);
  const hook = join(checkout, 'deploy/slurm/epilog-slurmctld.sh');
  const text = `#!/bin/sh\nexport ATTRIBUTION_HOOK_SETTINGS=${settings}\nexec ${hook}\n`;
  writeFileSync(join(folder, 'hook.sh'), text, { mode: 0o755 });
}

function slurmConfiguration(folder: string, ports: Ports): string {
  const host = hostname();
  const munge = join(folder, 'run', 'munge.sock');
  return `ClusterName=testing
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${ports.controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${munge}
CryptoType=crypto/munge
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=${join(folder, 'state', 'jwt.key')}
StateSaveLocation=${join(folder, 'state')}
SlurmctldPidFile=${join(folder, 'run', 'slurmctld.pid')}
SlurmctldLogFile=${join(folder, 'slurmctld.log')}
SlurmdSpoolDir=${join(folder, 'spool-%n')}
SlurmdPidFile=${join(folder, 'run', 'slurmd-%n.pid')}
SlurmdLogFile=${join(folder, 'slurmd-%n.log')}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
MinJobAge=300
EpilogSlurmctld=${join(folder, 'hook.sh')}
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${ports.accounting}
AccountingStoragePass=${munge}
NodeName=node-01 NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports.nodes[0]} CPUs=1
NodeName=node-02 NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports.nodes[1]} CPUs=1
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

function accountingConfiguration(folder: string, ports: Ports): string {
  return `AuthType=auth/munge
AuthInfo=socket=${join(folder, 'run', 'munge.sock')}
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=${join(folder, 'state', 'jwt.key')}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=${ports.accounting}
SlurmUser=root
PidFile=${join(folder, 'run', 'slurmdbd.pid')}
LogFile=${join(folder, 'slurmdbd.log')}
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=${ports.database}
StorageUser=slurm
StoragePass=local
StorageLoc=slurm_acct_db
`;
}
