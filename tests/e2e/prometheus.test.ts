import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, until } from '../support/daemon.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled, pathOf } from '../support/installed.ts';
import { type PrometheusUnderTest, recordedSeries, testPrometheus } from '../support/prometheus-suite.ts';

if (isInstalled(['prometheus', 'promtool'], ['prometheus']))
  testPrometheus('a real Prometheus', startPrometheus);
else test('a real Prometheus', { skip: 'Debian package prometheus cannot be installed here' }, () => {});

/** A server over blocks that hold the recorded series, in a folder of its own. */
async function startPrometheus(): Promise<PrometheusUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-prometheus-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n');
  writeFileSync(join(folder, 'recorded.txt'), openMetrics(recordedSeries()));
  execFileSync(
    pathOf('promtool'),
    ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'recorded.txt'), data],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const daemon = startDaemon(pathOf('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data}`,
    '--storage.tsdb.retention.time=100y',
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ]);
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('Prometheus is ready', async () => (await fetch(`${url}/-/ready`)).ok, 60_000, [daemon]);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

/** The text form that promtool fills blocks from; samples of a metric stand together. */
function openMetrics(series: readonly StoredSeries[]): string {
  const byMetric = Map.groupBy(series, ({ labels }) => labels['__name__'] ?? '');
  const lines: string[] = [];
  for (const [metric, own] of byMetric) {
    lines.push(`# TYPE ${metric} gauge`);
    for (const { labels, samples } of own) {
      const { __name__: _name, ...others } = labels;
      const text = Object.entries(others)
        .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
        .join(',');
      for (const [millis, value] of samples) {
        if (value !== null) lines.push(`${metric}{${text}} ${value} ${millis / 1000}`);
      }
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}
