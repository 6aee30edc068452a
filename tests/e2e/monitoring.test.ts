import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { metricList } from '../../src/telemetry/metric-list.ts';
import { prometheusMetrics } from '../../src/telemetry/prometheus-metrics.ts';
import { startDaemon, until } from '../support/daemon.ts';
import { exampleBody } from '../support/example-body.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled, pathOf } from '../support/installed.ts';
import { checkout, startService, temporaryFolder } from '../support/service.ts';

const dashboard = readFileSync(join(checkout, 'deploy/grafana/attribution-adapter.json'), 'utf8');
const alertsPath = join(checkout, 'deploy/prometheus/alerts.yaml');

/** Names of metrics in the expressions of a dashboard or of rules. */
function metricsIn(expressions: readonly string[]): readonly string[] {
  return expressions.flatMap(text => text.match(/\b(?:attribution|process|nodejs)_[a-z0-9_]+/g) ?? []);
}

async function shown(): Promise<ReadonlySet<string>> {
  const text = await prometheusMetrics().text();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(match => match[1] ?? ''));
}

function expressionsOf(document: unknown): readonly string[] {
  if (Array.isArray(document)) return document.flatMap(expressionsOf);
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    name === 'expr' && typeof value === 'string' ? [value] : expressionsOf(value),
  );
}

for (const [what, document] of [
  ['dashboard', JSON.parse(dashboard) as unknown],
  ['alert rules', parse(readFileSync(alertsPath, 'utf8')) as unknown],
] as const) {
  test(`every metric of the ${what} exists`, async () => {
    const names = await shown();
    const used = metricsIn(expressionsOf(document));
    assert.ok(used.length >= 6);
    for (const name of used) assert.ok(names.has(name.replace(/_bucket$/, '')), name);
  });
}

test('the dashboard shows every metric of ours', () => {
  for (const name of Object.keys(metricList)) assert.ok(dashboard.includes(name), name);
});

const skip = isInstalled(['prometheus', 'promtool'], ['prometheus'])
  ? false
  : 'Debian package prometheus cannot be installed here';

test('alerts fire when they should and not otherwise', { skip }, () => {
  const { status, stdout, stderr } = spawnSync(
    pathOf('promtool'),
    ['test', 'rules', join(checkout, 'deploy/prometheus/alerts.test.yaml')],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout + stderr);
});

test('a real Prometheus scrapes the operations listener', { skip }, async context => {
  const folder = temporaryFolder(context);
  const port = await freePort();
  const service = await startService(
    ['--evidence', join(checkout, 'cases/xid-79-while-peers-time-out/evidence'), '--state', folder],
    { ATTRIBUTION_LISTEN_OPERATIONS: `127.0.0.1:${port}` },
  );
  context.after(() => service.kill());
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/v1/attribution`, { method: 'POST', headers, body: exampleBody });
  assert.equal(answer.status, 200);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  // Names of the runtime's own metrics are not ours to choose.
  const ours = text.split('\n').filter(line => line.includes('attribution_'));
  execFileSync(pathOf('promtool'), ['check', 'metrics'], { input: `${ours.join('\n')}\n` });
  assert.match(text, /^attribution_requests_total\{phase="fast",outcome="[a-z_]+",mode="live"\} 1$/m);

  const data = join(folder, 'prometheus');
  mkdirSync(data);
  writeFileSync(
    join(data, 'prometheus.yml'),
    `global: {scrape_interval: 1s}\nscrape_configs: [{job_name: adapter, static_configs: [{targets: ["127.0.0.1:${port}"]}]}]\n`,
  );
  const own = await freePort();
  const daemon = startDaemon(pathOf('prometheus'), [
    `--config.file=${join(data, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${own}`,
    '--log.level=warn',
  ]);
  context.after(() => daemon.stop());
  const query = `http://127.0.0.1:${own}/api/v1/query?query=attribution_requests_total`;
  await until(
    'Prometheus knows the request',
    async () => {
      const { data: found } = (await (await fetch(query)).json()) as {
        data: { result: { value: [number, string] }[] };
      };
      return found.result[0]?.value[1] === '1';
    },
    60_000,
    [daemon],
  );
});
