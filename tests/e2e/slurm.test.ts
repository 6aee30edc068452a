import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { CollectPlan, Source } from '../../src/core/ports.ts';
import { second } from '../../src/core/time.ts';
import { parseSlurmSettings } from '../../src/evidence/slurm/settings.ts';
import { createSlurmSource } from '../../src/evidence/slurm/slurm-source.ts';
import { expandHostList } from '../../src/lines/host-list.ts';
import { until } from '../support/daemon.ts';
import { type FakeServer, startFakeServer } from '../support/fakes/fake-server.ts';
import { isInstalled, pathOf } from '../support/installed.ts';
import { machineClock, planFor, statusesOf } from '../support/log-lines.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';
import {
  type SlurmCluster,
  slurmPackages,
  slurmPrograms,
  startSlurmCluster,
} from '../support/slurm-cluster.ts';
import { collectStates, valuesOf } from '../support/state-rows.ts';

const nodes = ['node-01', 'node-02'];
const never = new AbortController().signal;

function open(written: Readonly<Record<string, unknown>>): Source {
  const parsed = parseSlurmSettings({ name: 'slurm', kind: 'slurm', ...written });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createSlurmSource(parsed.settings, { clock: machineClock, log: silentLog, random: () => 0.5 });
}

function planOf(workloadId: string, more: Partial<CollectPlan> = {}): CollectPlan {
  const now = machineClock.now();
  return planFor(
    nodes,
    { from: now - 900n * second, to: now + 60n * second },
    {
      request: sampleRequest({
        workloadId,
        scope: { nodes: [], ranks: [], startTime: null, endTime: null },
      }),
      ...more,
    },
  );
}

if (isInstalled(slurmPrograms, slurmPackages)) testSlurm();
else
  test('a real Slurm', {
    skip: `Debian packages cannot be installed here: ${slurmPackages.join(', ')}`,
  }, () => {});

function testSlurm(): void {
  let cluster: SlurmCluster;
  let service: FakeServer;
  const jobs = { failed: '', array: '', lost: '' };

  before(async () => {
    service = await startFakeServer(() => ({ status: 200, type: 'application/json', body: '{}' }));
    cluster = await startSlurmCluster(service.url);
    const idle = (): Promise<void> =>
      until('the queue is empty', () => cluster.run('squeue', '-h').trim() === '', 60_000);
    jobs.failed = cluster.submit('exit 3', '-N1', '-w', 'node-01');
    jobs.array = cluster.submit('exit 4', '-N1', '--array=1-2');
    await idle();
    jobs.lost = cluster.submit('srun --mpi=none sleep 300 &\nsleep 300', '-N2', '--no-requeue');
    await until(
      'a step runs on both nodes',
      () => cluster.run('squeue', '-h', '-s', '-j', jobs.lost, '-o', '%i').includes(`${jobs.lost}.0`),
      60_000,
    );
    await cluster.killNode('node-02');
    await until(
      'Slurm gives the node up',
      () => cluster.run('scontrol', 'show', 'job', jobs.lost).includes('JobState=NODE_FAIL'),
      120_000,
    );
    cluster.run('scontrol', 'update', 'nodename=node-01', 'state=drain', 'reason=GPU 3 is missing');
    // Slurm's times are whole seconds.
    await sleep(2000);
    const upkeep = ['reservationname=upkeep', 'starttime=now', 'duration=60', 'users=root', 'nodes=node-02'];
    cluster.run('scontrol', 'create', 'reservation', ...upkeep, 'flags=maint,ignore_jobs');
    await until(
      'the accounting knows the end of the job',
      () => cluster.run('sacct', '-n', '-P', '-X', '-j', jobs.lost, '-o', 'State').includes('NODE_FAIL'),
      60_000,
    );
  });
  after(async () => {
    await cluster?.close();
    await service?.close();
  });

  const ways: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    'slurmrestd by TCP': () => ({ url: cluster.restUrl, user: 'root', tokenFile: cluster.tokenFile }),
    'slurmrestd by its socket': () => ({
      unixSocket: cluster.restSocket,
      user: 'root',
      tokenFile: cluster.tokenFile,
    }),
    'sacct and scontrol': () => ({
      commands: {
        sacct: [pathOf('sacct')],
        scontrol: [pathOf('scontrol')],
        environment: { SLURM_CONF: cluster.environment['SLURM_CONF'] },
      },
    }),
  };

  for (const [way, settings] of Object.entries(ways)) {
    test(`${way}: where a job ran, and when, is known before anything is read`, async () => {
      const source = open(settings());
      const located = await source.locate?.(planOf(jobs.lost).request, never);
      await source.close?.();
      assert.deepEqual(
        located?.nodes.map(({ name }) => name),
        nodes,
      );
      assert.ok(located?.jobStart != null && located.jobEnd != null && located.jobEnd > located.jobStart);
      assert.match(located.said, /^nodes and times of job \d+: from slurm$/);
    });

    test(`${way}: a failed job brings its exit code, and its steps theirs`, async () => {
      const source = open(settings());
      const { rows, coverage } = await collectStates(source, planOf(jobs.failed));
      await source.close?.();
      assert.deepEqual(new Set(valuesOf(rows, jobs.failed, 'state')), new Set(['FAILED']));
      assert.deepEqual(valuesOf(rows, jobs.failed, 'exit_code'), ['3:0']);
      assert.deepEqual(valuesOf(rows, `${jobs.failed}.batch`, 'state'), ['FAILED']);
      const state = rows.find(row => row.name === jobs.failed && row.field === 'state');
      assert.equal(state?.node, 'node-01');
      assert.ok(state?.instant.nanos != null);
      assert.deepEqual(statusesOf([coverage], 'scheduler'), { 'node-01': 'complete', 'node-02': 'complete' });
    });

    test(`${way}: a lost node, a drained one and their times`, async () => {
      const source = open(settings());
      const { rows, batches } = await collectStates(source, planOf(jobs.lost, { nodes: [] }));
      await source.close?.();
      assert.deepEqual(valuesOf(rows, jobs.lost, 'state'), ['NODE_FAIL']);
      assert.deepEqual(valuesOf(rows, 'node-02', 'reason'), ['Not responding']);
      assert.deepEqual(valuesOf(rows, 'node-01', 'reason'), ['GPU 3 is missing']);
      assert.ok(valuesOf(rows, 'node-01', 'state').every(state => /^IDLE\+DRAIN/.test(state)));
      const down = rows.find(row => row.name === 'node-02' && /DOWN/.test(row.value));
      const end = rows.find(row => row.name === jobs.lost && row.field === 'state');
      assert.ok(down?.instant.nanos != null && end?.instant.nanos != null);
      assert.ok(!/MAINT/.test(down.value), 'what was planned afterwards stands apart');
      const drained = rows.find(row => row.name === 'node-01' && row.field === 'reason');
      assert.ok(drained?.instant.nanos != null && drained.instant.nanos >= end.instant.nanos);
      const boot = rows.find(row => row.name === 'node-01' && row.field === 'boot_time');
      assert.match(boot?.value ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.ok(boot?.instant.nanos != null && boot.instant.nanos < end.instant.nanos);
      for (const { query, header } of batches) assert.ok(query !== undefined && query === header.stream);
    });

    test(`${way}: maintenance excuses from its start on, not from when its node broke`, async () => {
      const source = open(settings());
      const { rows } = await collectStates(source, planOf(jobs.lost));
      await source.close?.();
      const planned = rows.filter(row => row.field === 'state' && /MAINT/.test(row.value));
      assert.deepEqual(
        planned.map(({ name, value }) => `${name} ${value}`),
        ['node-02 MAINT'],
      );
      const broke = rows.find(row => row.name === 'node-02' && row.field === 'reason');
      const [upkeep] = planned;
      assert.ok(upkeep?.instant.nanos != null && broke?.instant.nanos != null);
      assert.ok(upkeep.instant.nanos > broke.instant.nanos);
      assert.match(upkeep.text, /ReservationName=upkeep .*MAINT/);
    });

    test(`${way}: one task of an array, and all of them`, async () => {
      const source = open(settings());
      const one = await collectStates(source, planOf(`${jobs.array}_1`));
      const all = await collectStates(source, planOf(jobs.array));
      await source.close?.();
      const names = (rows: typeof one.rows): readonly string[] =>
        [
          ...new Set(rows.filter(row => row.entity === 'job').map(({ name }) => name.split('.')[0] ?? '')),
        ].sort();
      assert.deepEqual(names(one.rows), [`${jobs.array}_1`]);
      assert.deepEqual(names(all.rows), [`${jobs.array}_1`, `${jobs.array}_2`]);
      assert.deepEqual(valuesOf(one.rows, `${jobs.array}_1`, 'exit_code'), ['4:0']);
    });

    test(`${way}: doctor finds everything well`, async () => {
      const source = open(settings());
      const checks = (await source.examine?.({ metrics: [] }, never)) ?? [];
      await source.close?.();
      assert.ok(checks.length > 1);
      assert.deepEqual(
        checks.filter(({ verdict }) => verdict !== 'pass'),
        [],
      );
    });

    test(`${way}: an unknown job, an unknown node and a text that is no id are said`, async () => {
      const source = open(settings());
      const strange = { nodes: [...nodes, 'node-77'].map(name => ({ name, aliases: [] })) };
      const unknown = await collectStates(source, planOf('99999', strange));
      const noId = await collectStates(source, planOf('1 --json'));
      await source.close?.();
      assert.deepEqual(unknown.coverage.remarks, ['Slurm does not know the job any more, or never did']);
      assert.equal(statusesOf([unknown.coverage], 'scheduler')['node-77'], 'absent');
      assert.equal(statusesOf([unknown.coverage], 'scheduler')['node-01'], 'complete');
      assert.deepEqual(noId.coverage.remarks, ['workload_id is no id of a job of Slurm']);
      assert.ok(noId.rows.every(row => row.entity === 'node'));
    });
  }

  test('the hook of the controller asks about every job that failed, with its nodes', async () => {
    const asked = (): readonly { workload_id: string; scope: { nodes: readonly string[] } }[] =>
      service.requests.map(({ body }) => JSON.parse(body));
    const wanted = [jobs.failed, `${jobs.array}_1`, `${jobs.array}_2`, jobs.lost];
    const isAsked = (id: string): boolean => asked().some(({ workload_id: asks }) => asks === id);
    const missing = (): readonly string[] => wanted.filter(id => !isAsked(id));
    await until(`the hook asks about ${missing()}`, () => missing().length === 0, 60_000);
    const lost = asked().find(({ workload_id: id }) => id === jobs.lost);
    assert.deepEqual(lost?.scope.nodes, nodes);
  });

  test('a job is analysed by its id alone, and the node that Slurm lost is named', async context => {
    const config = join(temporaryFolder(context), 'config.yaml');
    const sources = [{ name: 'slurm', kind: 'slurm', ...ways['slurmrestd by TCP']?.() }];
    writeFileSync(config, stringify({ sources }));
    const { code, stdout, stderr } = await runCommand(['--config', config, 'analyze', '--job', jobs.lost]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^NODE {2}node-02 {2}node_lost /);
    assert.match(stdout, /^ {2}seen {2}slurm scheduler {2}complete 2 \(node-\[01-02\]\)/m);
  });

  test('a token that Slurm does not take is a failure that says what to check', async () => {
    const wrong = join(cluster.folder, 'wrong-token');
    writeFileSync(wrong, 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA', { mode: 0o600 });
    const source = open({ url: cluster.restUrl, user: 'root', tokenFile: wrong, retries: 0 });
    const { rows, coverage } = await collectStates(source, planOf(jobs.failed));
    await source.close?.();
    assert.deepEqual(rows, []);
    assert.deepEqual(new Set(Object.values(statusesOf([coverage], 'scheduler'))), new Set(['failed']));
    assert.match(coverage.groups[0]?.reason ?? '', /credentials|token/);
  });

  test('host lists expand as scontrol expands them, on 1,000 generated expressions', () => {
    const expressions = fc.sample(hostList, { numRuns: 1000, seed: 7 });
    const commands = expressions.map((list, index) => `show hostnames ${list}\nshow hostnames end-${index}`);
    const { stdout } = spawnSync(pathOf('scontrol'), [], {
      input: `${commands.join('\n')}\nquit\n`,
      encoding: 'utf8',
      env: { ...process.env, ...cluster.environment },
      maxBuffer: 256 * 1024 * 1024,
    });
    // It repeats what it is told to do.
    const printed = stdout.split('\n').filter(line => line !== '' && !line.includes(' '));
    let at = 0;
    for (const [index, list] of expressions.entries()) {
      const end = printed.indexOf(`end-${index}`, at);
      const ours = expandHostList(list, 100_000);
      assert.ok(ours.ok, list);
      assert.deepEqual(ours.names, [...new Set(printed.slice(at, end))], list);
      at = end + 1;
    }
  });
}

const digits = fc.integer({ min: 0, max: 120 });
const range = fc
  .tuple(digits, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 4 }))
  .map(([from, more, width]) => {
    const lower = String(from).padStart(width, '0');
    return more === 0 ? lower : `${lower}-${String(from + more).padStart(lower.length, '0')}`;
  });
const bracket = fc.array(range, { minLength: 1, maxLength: 3 }).map(ranges => `[${ranges.join(',')}]`);
const stem = fc.constantFrom('node', 'gpu-', 'n', 'rack', 'dgx-a', 'c');
/** Names with no, one or two brackets, as clusters have them. */
const hostName = fc.oneof(
  fc.tuple(stem, digits).map(([name, number]) => `${name}${number}`),
  fc.tuple(stem, bracket).map(parts => parts.join('')),
  fc.tuple(stem, bracket, fc.constantFrom('n', 'r', '-'), bracket).map(parts => parts.join('')),
);
const hostList = fc.array(hostName, { minLength: 1, maxLength: 4 }).map(names => names.join(','));
