import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { startFakePrometheus } from '../support/fakes/prometheus.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { startFakeSlurmrestd } from '../support/fakes/slurmrestd.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';

async function doctor(folder: string, sources: readonly unknown[], ...more: readonly string[]) {
  const config = join(folder, 'config.yaml');
  writeFileSync(config, stringify({ sources }));
  return runCommand(['--config', config, 'doctor', ...more]);
}

/** Samples of the last day, every half minute for the last quarter of an hour. */
function recentSeries(...metrics: readonly string[]): readonly StoredSeries[] {
  const now = Date.now();
  const late = Array.from({ length: 30 }, (_, index): [number, number] => [now - index * 30_000, 0]).reverse();
  const day: [number, number] = [now - 24 * 3_600_000 - 60_000, 0];
  return ['node-01', 'node-02'].flatMap(node =>
    metrics.map(metric => ({
      labels: { __name__: metric, Hostname: node, instance: `${node}:9400`, gpu: '0' },
      samples: [day, ...late],
    })),
  );
}

test('a Prometheus without the ECC metrics: they are named, and the line that adds them', async context => {
  const folder = temporaryFolder(context);
  const server = await startFakePrometheus({
    series: recentSeries('DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_XID_ERRORS', 'node_boot_time_seconds', 'up'),
  });
  const { code, stdout: text } = await doctor(folder, [
    { name: 'metrics', kind: 'prometheus', url: server.url },
  ]);
  await server.close();
  assert.equal(code, 0);
  assert.match(text, /^WARN {2}metrics \(prometheus, http:\/\/127\.0\.0\.1:\d+\)$/m);
  assert.match(text, /^ {2}PASS {2}answered in \d+ ms$/m);
  assert.match(
    text,
    /^ {2}PASS {2}DCGM_ metrics: nodes may be named by Hostname \(2 values\), instance \(2 values\)$/m,
  );
  assert.match(text, /^ {2}PASS {2}DCGM_ metrics: a sample every 30 s$/m);
  assert.match(text, /^ {2}PASS {2}DCGM_ metrics: samples reach back 24 h$/m);
  assert.match(text, /add to the counters file of dcgm-exporter/);
  assert.match(
    text,
    /^ +DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, counter, Total number of double-bit volatile ECC errors\.$/m,
  );
  assert.match(text, /^ +--collector\.edac {3}# needs /m);
  assert.doesNotMatch(text, /DCGM_FI_DEV_GPU_TEMP, gauge/);
  assert.match(text, /^1 sources: 0 PASS, 1 WARN, 0 FAIL$/m);
});

test('every source is examined, and one that fails makes the exit code 1', async context => {
  const folder = temporaryFolder(context);
  const slurm = await startFakeSlurmrestd({
    slurm: { versions: [41, 43], jobs: [], nodes: [], maintenance: [] },
    token: 'right',
  });
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, 'a.log'), 'x\n');
  const sources = [
    { name: 'slurm', kind: 'slurm', url: slurm.url, token: 'right', user: 'user1' },
    { name: 'locked', kind: 'slurm', url: slurm.url, token: 'wrong', user: 'user1' },
    { name: 'logs', kind: 'files', roots: [logs] },
    { name: 'gone', kind: 'files', roots: [join(folder, 'nowhere')] },
    { name: 'down', kind: 'prometheus', url: 'http://127.0.0.1:9', retries: 0 },
  ];
  const { code, stdout: text } = await doctor(folder, sources, '--output', 'json');
  await slurm.close();
  assert.equal(code, 1);
  const read = JSON.parse(text) as {
    verdict: string;
    sources: { name: string; verdict: string; checks: { says: string; remedy: string[] }[] }[];
  };
  assert.equal(read.verdict, 'fail');
  const verdicts = Object.fromEntries(read.sources.map(({ name, verdict }) => [name, verdict]));
  assert.deepEqual(verdicts, { slurm: 'pass', locked: 'fail', logs: 'pass', gone: 'fail', down: 'fail' });
  const says = (name: string): string =>
    read.sources
      .find(source => source.name === name)
      ?.checks.map(check => check.says)
      .join('\n') ?? '';
  assert.match(says('slurm'), /speaks v0\.0\.43/);
  assert.match(says('locked'), /refused the credentials/);
  assert.match(says('down'), /refused the connection \(ECONNREFUSED\): start it, or correct the address/);
  assert.ok(!text.includes('wrong') && !text.includes('right'), 'no secret');
});

test('without a source, or with a wrong option, there is nothing to examine', async context => {
  const folder = temporaryFolder(context);
  const none = await doctor(folder, []);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /no evidence source is configured/);
  const odd = await doctor(folder, [{ name: 'logs', kind: 'files', roots: ['/'] }], '--timeout', 'soon');
  assert.equal(odd.code, 2);
  assert.match(odd.stderr, /--timeout soon: write whole seconds/);
});

test('certificates of listeners are examined too, and one that cannot be read fails', async context => {
  const folder = temporaryFolder(context);
  const server = await startFakePrometheus({ series: recentSeries('up') });
  const config = join(folder, 'config.yaml');
  const sources = [{ name: 'metrics', kind: 'prometheus', url: server.url }];
  const operations = { tls: { certificate: '/no/file', key: '/no/key' } };
  writeFileSync(config, stringify({ sources, operations }));
  const text = await runCommand(['--config', config, 'doctor']);
  const json = await runCommand(['--config', config, 'doctor', '-o', 'json']);
  await server.close();
  assert.equal(text.code, 1);
  assert.match(text.stdout, /^FAIL {2}operations \(listener\)$/m);
  assert.match(
    text.stdout,
    /^ {2}FAIL {2}operations\.tls\.certificate \/no\/file cannot be read \(ENOENT\): give/m,
  );
  assert.match(text.stdout, /^ {2}FAIL {2}operations\.tls\.key \/no\/key cannot be read \(ENOENT\): give/m);
  assert.match(text.stdout, /^1 sources and 1 listeners: /m);
  const { sources: shown, listeners } = JSON.parse(json.stdout) as Record<string, { verdict: string }[]>;
  assert.deepEqual([shown?.length, listeners?.map(({ verdict }) => verdict)], [1, ['fail']]);
});
