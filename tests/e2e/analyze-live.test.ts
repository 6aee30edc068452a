import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { stringify } from 'yaml';
import { failedJob, wellNodes } from '../support/fakes/failed-job.ts';
import type { FakeServer } from '../support/fakes/fake-server.ts';
import { startFakeLoki } from '../support/fakes/loki.ts';
import { pushToLoki } from '../support/fakes/loki-under-test.ts';
import { startFakeSlurmrestd } from '../support/fakes/slurmrestd.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';

/** Two hours ago, to the second: when job 42 ended. */
const end = Math.floor(Date.now() / 1000) - 7200;
/** When job 45 ended: both of its windows still go on. */
const lately = Math.floor(Date.now() / 1000) - 5;
const nodes = ['node-01', 'node-02', 'node-03', 'node-04'];
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');
const xid = 'NVRM: Xid (PCI:0000:9b:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';

/** What the kernel and the epilog of each node wrote around the end of job 42. */
const kernelLines = nodes.flatMap(node => [
  { node, seconds: end - 700, line: `${iso(end - 700)} ${node} kernel: usb 1-1: new device` },
  ...(node === 'node-03'
    ? [{ node, seconds: end - 600, line: `${iso(end - 600)} ${node} kernel: ${xid}` }]
    : []),
]);
const epilogLines = nodes.map(node => ({
  node,
  seconds: end + 60,
  line: `${iso(end + 60)} ${node} epilog[7200]: job 42: health checks finished, result PASS`,
}));

let loki: FakeServer;
let slurm: FakeServer;
before(async () => {
  loki = await startFakeLoki();
  slurm = await startFakeSlurmrestd({
    slurm: {
      versions: [41],
      jobs: [
        failedJob(42, end),
        { ...failedJob(43, end), state: 'RUNNING', reason: 'None', code: 0, end: end + 90_000 },
        failedJob(45, lately),
        { ...failedJob(44, end), nodes: '', state: 'PENDING', code: 0, start: 0, end: 0 },
      ],
      nodes: wellNodes(end),
      maintenance: [],
    },
  });
  const logged = (origin: 'kernel' | 'health', lines: typeof kernelLines) =>
    lines.map(({ node, seconds, line }) => ({ origin, node, nanos: BigInt(seconds) * 1_000_000_000n, line }));
  await pushToLoki(loki.url, 'a', [...logged('kernel', kernelLines), ...logged('health', epilogLines)]);
});
after(async () => {
  await loki.close();
  await slurm.close();
});

const logs = () => ({ name: 'logs', kind: 'loki', url: loki.url, matchers: '{cluster="a"}' });
const scheduler = () => ({ name: 'slurm', kind: 'slurm', url: slurm.url, token: 'x', user: 'user1' });

function analyze(context: TestContext, sources: readonly unknown[], ...args: readonly string[]) {
  const config = join(temporaryFolder(context), 'config.yaml');
  writeFileSync(config, stringify({ sources }));
  return runCommand(['--config', config, 'analyze', ...args]);
}

interface Analysis {
  readonly response: {
    readonly attributions: readonly { readonly target: unknown; readonly error_category: string }[];
  };
  readonly coverage: readonly {
    readonly source: string;
    readonly origin: string;
    readonly groups: readonly unknown[];
    readonly window: { readonly to: string };
    readonly not_yet: { readonly from: string } | null;
  }[];
  readonly inferred: { readonly nodes: readonly string[]; readonly moment: string };
}

test('a job of the configured sources is analysed as its logs on disk are', async context => {
  const live = await analyze(context, [scheduler(), logs()], '--job', '42', '-o', 'json');
  assert.equal(live.code, 0, live.stderr);
  const read = JSON.parse(live.stdout) as Analysis;
  assert.deepEqual(read.inferred.nodes, nodes);
  assert.equal(read.inferred.moment, iso(end).replace('+00:00', 'Z'));
  assert.deepEqual(read.coverage.map(({ source, origin, groups }) => [source, origin, groups.length]).sort(), [
    ['logs', 'health', 1],
    ['logs', 'job', 1],
    ['logs', 'kernel', 1],
    ['slurm', 'scheduler', 1],
  ]);

  const folder = temporaryFolder(context);
  for (const [name, lines] of Object.entries({ kernel: kernelLines, epilog: epilogLines })) {
    mkdirSync(join(folder, name));
    for (const node of nodes) {
      const own = lines.filter(line => line.node === node).map(({ line }) => `${line}\n`);
      writeFileSync(join(folder, name, `${node}.log`), own.join(''));
    }
  }
  mkdirSync(join(folder, 'scheduler'));
  const stored = await fetch(`${slurm.url}/slurmdb/v0.0.41/job/42`);
  writeFileSync(join(folder, 'scheduler/job.json'), await stored.text());
  const files = await runCommand(['analyze', folder, '--job', '42', '-o', 'json']);
  assert.equal(files.code, 0, files.stderr);
  const verdict = ({ response }: Analysis) =>
    response.attributions.map(found => [found.target, found.error_category]);
  assert.deepEqual(verdict(read), [[{ type: 'Node', node: 'node-03' }, 'accelerator_gpu']]);
  assert.deepEqual(verdict(read), verdict(JSON.parse(files.stdout) as Analysis));
});

test("the scheduler's nodes count before those that files are about, whatever the order of sources", async context => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'kernel'));
  for (const node of [...nodes, 'node-77']) {
    const told = node === 'node-77' ? xid : 'usb 1-1: new device';
    writeFileSync(join(folder, 'kernel', `${node}.log`), `${iso(end - 600)} ${node} kernel: ${told}\n`);
  }
  const files = { name: 'disk', kind: 'files', timezone: 'UTC', roots: [{ path: folder }] };
  for (const sources of [
    [files, scheduler()],
    [scheduler(), files],
  ]) {
    const { stdout, stderr, code } = await analyze(context, sources, '--job', '42', '-o', 'json');
    assert.equal(code, 0, stderr);
    const { inferred, response } = JSON.parse(stdout) as Analysis;
    assert.deepEqual(inferred.nodes, nodes);
    assert.doesNotMatch(JSON.stringify(response.attributions.map(({ target }) => target)), /node-77/);
  }
});

test('a job that ended just now is analysed alike whenever that is done', async context => {
  const ask = () => analyze(context, [scheduler(), logs()], '--job', '45', '-o', 'json');
  const first = await ask();
  assert.equal(first.code, 0, first.stderr);
  const withoutId = ({ stdout }: { readonly stdout: string }) => stdout.replace(/"request_id":"[^"]*"/, '');
  assert.equal(withoutId(await ask()), withoutId(first));
  const { coverage } = JSON.parse(first.stdout) as Analysis;
  const health = coverage.find(({ origin }) => origin === 'health');
  assert.deepEqual(
    [health?.window.to, health?.not_yet?.from].map(time => Date.parse(time ?? '') / 1000),
    [lately + 3600, lately],
  );
});

test('people read the same form as for logs on disk', async context => {
  const { code, stdout } = await analyze(context, [scheduler(), logs()], '--job', '42');
  assert.equal(code, 0);
  assert.match(stdout, /^NODE {2}node-03 {2}accelerator_gpu/);
  assert.match(stdout, /^ {2}seen {2}logs kernel {2}complete 4 \(node-\[01-04\]\)/m);
  assert.match(stdout, /^ {2}said {2}nodes and times of job 42: from slurm$/m);
});

test('a job that still runs is analysed at a time that is given, and not without one', async context => {
  const refused = await analyze(context, [scheduler(), logs()], '--job', '43');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /job 43 has no end, since .*Z: it still runs, .*--at TIME/);
  const { code, stdout, stderr } = await analyze(
    context,
    [scheduler(), logs()],
    '--job',
    '43',
    '--at',
    iso(end),
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^NODE {2}node-03 /);
});

test('what is missing is told with a remedy', async context => {
  const told = async (sources: readonly unknown[], ...args: readonly string[]) => {
    const { code, stdout, stderr } = await analyze(context, sources, ...args);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    return stderr;
  };
  assert.match(await told([]), /no paths are given, and no evidence source is configured/);
  assert.match(await told([scheduler()]), /say with --job which job/);
  assert.match(
    await told([logs()], '--job', '42'),
    /nothing tells where job 42 ran: add a source of kind slurm/,
  );
  assert.match(await told([scheduler(), logs()], '--job', '99'), /job 99 is unknown.*doctor/);
  assert.match(await told([scheduler(), logs()], '--job', '44'), /job 44 is unknown/);
  assert.match(await told([scheduler()], '--job', '42', '--at', 'noon'), /--at noon: write a time/);
  const down = {
    name: 'slurm',
    kind: 'slurm',
    url: 'http://127.0.0.1:9',
    token: 'x',
    user: 'user1',
    retries: 0,
  };
  assert.match(await told([down, logs()], '--job', '42'), /job 42 is unknown.*doctor/);
});

test('nodes and a time do without a scheduler', async context => {
  const args = ['--job', '42', '--nodes', 'node-[01-04]', '--at', iso(end)];
  const { code, stdout, stderr } = await analyze(context, [logs()], ...args);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^NODE {2}node-03 /);
});
