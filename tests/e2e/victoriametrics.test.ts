import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { second } from '../../src/core/time.ts';
import { startDaemon, until } from '../support/daemon.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled, pathOf } from '../support/installed.ts';
import {
  type PrometheusUnderTest,
  recordedSeries,
  testPrometheus,
  windowOfSuite,
} from '../support/prometheus-suite.ts';

/** It stores nothing that lies two days or more ahead. */
const isPast = BigInt(Date.now()) * 1_000_000n > windowOfSuite.to - 86_400n * second;

if (!isPast) test('a real VictoriaMetrics', { skip: 'the clock is before the recorded time' }, () => {});
else if (isInstalled(['victoria-metrics'], ['victoria-metrics']))
  testPrometheus('a real VictoriaMetrics', startVictoriaMetrics);
else {
  const skip = 'Debian package victoria-metrics cannot be installed here';
  test('a real VictoriaMetrics', { skip }, () => {});
}

/** A server in a folder of its own, filled with the recorded series. */
async function startVictoriaMetrics(): Promise<PrometheusUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-victoriametrics-'));
  const port = await freePort();
  const daemon = startDaemon(pathOf('victoria-metrics'), [
    `-httpListenAddr=127.0.0.1:${port}`,
    `-storageDataPath=${join(folder, 'data')}`,
    '-retentionPeriod=100y',
    '-search.latencyOffset=0s',
    '-memory.allowedBytes=256MiB',
    '-loggerLevel=ERROR',
  ]);
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('VictoriaMetrics is ready', async () => (await fetch(`${url}/health`)).ok, 60_000, [daemon]);
    const body = textOf(recordedSeries());
    const imported = await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body });
    if (!imported.ok) throw new Error(`import failed: ${imported.status} ${await imported.text()}`);
    // What was imported is found once it is flushed.
    await (await fetch(`${url}/internal/force_flush`)).arrayBuffer();
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

/** The text form with stamps in milliseconds. */
function textOf(series: readonly StoredSeries[]): string {
  const lines: string[] = [];
  for (const { labels, samples } of series) {
    const { __name__: metric, ...others } = labels;
    const text = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
    for (const [millis, value] of samples) {
      if (value !== null) lines.push(`${metric}{${text.join(',')}} ${value} ${millis}`);
    }
  }
  return lines.join('\n');
}
