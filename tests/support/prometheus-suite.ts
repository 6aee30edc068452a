import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SampleBatch, SampleSeries } from '../../src/core/batch.ts';
import type { SourceCoverage } from '../../src/core/coverage.ts';
import type { CollectPlan, MetricNeed, Source } from '../../src/core/ports.ts';
import { minute, type Nanos, second } from '../../src/core/time.ts';
import { createPrometheusSource } from '../../src/evidence/prometheus/prometheus-source.ts';
import { parsePrometheusSettings } from '../../src/evidence/prometheus/settings.ts';
import type { StoredSeries } from './fakes/promql.ts';
import { machineClock, planFor, statusesOf } from './log-lines.ts';
import { silentLog } from './silent-log.ts';

/** A running server, fake or real, that holds the series of `recordedSeries`. */
export interface PrometheusUnderTest {
  readonly url: string;
  close(): Promise<void>;
}

export const windowStart: Nanos = 1_796_126_400n * second;
export const windowOfSuite = { from: windowStart, to: windowStart + 17n * minute };

/** Nodes of the job: 08 dies inside the window, 09 had samples only before it, 10 was never seen. */
export const jobNodes = Array.from({ length: 10 }, (_, index) => `node-${String(index + 1).padStart(2, '0')}`);

export const needsOfSuite: readonly MetricNeed[] = [
  { metric: 'DCGM_FI_DEV_XID_ERRORS', when: 'changed', threshold: 0 },
  { metric: 'DCGM_FI_DEV_GPU_TEMP', when: 'above', threshold: 95 },
  { metric: 'DCGM_FI_DEV_SM_CLOCK', when: 'away_from_median_by', threshold: 400 },
  { metric: 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER', when: 'increased_by', threshold: 1 },
  { metric: 'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', when: 'increased_by', threshold: 1 },
  { metric: 'node_boot_time_seconds', when: 'increased_by', threshold: 60 },
  { metric: 'node_vmstat_oom_kill', when: 'increased_by', threshold: 1 },
  { metric: 'up', when: 'below', threshold: 0.5 },
];

const intervalMs = 30_000;
const beforeMs = 30 * 60_000;
const startMs = Number(windowStart / 1_000_000n);
const endMs = Number(windowOfSuite.to / 1_000_000n);
const minuteMs = 60_000;

/** A value by milliseconds since the window's start; null where nothing was sent. */
type Course = (sinceMs: number) => number | null;

function series(labels: Readonly<Record<string, string>>, course: Course): StoredSeries {
  const samples: [number, number | null][] = [];
  // Scrapes come at odd seconds, as they do.
  for (let millis = startMs - beforeMs + 7_000; millis < endMs + 5 * minuteMs; millis += intervalMs) {
    const value = course(millis - startMs);
    if (value !== null) samples.push([millis, value]);
  }
  return { labels, samples };
}

function during(lives: (sinceMs: number) => boolean, course: Course): Course {
  return since => (lives(since) ? course(since) : null);
}

/** What a cluster of twelve nodes, two GPUs each, recorded around the window. */
export function recordedSeries(): readonly StoredSeries[] {
  const all: StoredSeries[] = [];
  const nodes = [...jobNodes.filter(node => node !== 'node-10'), 'node-11', 'node-12'];
  for (const node of nodes) {
    const lives = (since: number): boolean =>
      node === 'node-08' ? since < 8 * minuteMs : node === 'node-09' ? since < -5 * minuteMs : true;
    for (const gpu of ['0', '1']) {
      const own = (metric: string, course: Course): void => {
        const labels = {
          __name__: metric,
          Hostname: `${node}.example`,
          instance: `10.1.0.${Number(node.slice(-2))}:9400`,
          gpu,
          UUID: `GPU-${node}-${gpu}`,
          pci_bus_id: gpu === '0' ? '00000000:1B:00.0' : '00000000:B3:00.0',
        };
        all.push(series(labels, during(lives, course)));
      };
      const faulty = node === 'node-03' && gpu === '1';
      own('DCGM_FI_DEV_XID_ERRORS', since =>
        faulty && since > 9 * minuteMs ? 79 : node === 'node-04' ? 31 : 0,
      );
      own('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', since => (faulty && since > 8 * minuteMs ? 12 : 7));
      own('DCGM_FI_DEV_GPU_TEMP', since => (node === 'node-06' ? 97 : 60 + (Math.abs(since / intervalMs) % 5)));
      own('DCGM_FI_DEV_SM_CLOCK', since =>
        node === 'node-05' ? 1200 : 1970 + (Math.abs(since / intervalMs) % 3),
      );
    }
    const host = (metric: string, course: Course, port = '9100'): void => {
      all.push(series({ __name__: metric, instance: `${node}:${port}`, job: 'node' }, course));
    };
    host(
      'node_boot_time_seconds',
      during(lives, since => (node === 'node-07' && since > 6 * minuteMs ? 1_796_126_700 : 1_790_000_000)),
    );
    host(
      'node_vmstat_oom_kill',
      during(lives, since => (node === 'node-11' && since > minuteMs ? 3 : 0)),
    );
    host('up', since => (lives(since) ? 1 : 0));
  }
  return all;
}

export interface CollectedSamples {
  readonly batches: readonly SampleBatch[];
  readonly series: readonly SampleSeries[];
  readonly coverage: SourceCoverage;
}

export function prometheusSource(url: string, settings: Readonly<Record<string, unknown>> = {}): Source {
  const parsed = parsePrometheusSettings({ name: 'metrics', kind: 'prometheus', url, ...settings });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createPrometheusSource(parsed.settings, { clock: machineClock, log: silentLog, random: () => 0.5 });
}

export function metricsPlan(more: Partial<CollectPlan> = {}): CollectPlan {
  return planFor(jobNodes, windowOfSuite, { metrics: needsOfSuite, ...more });
}

export async function collectSamples(
  source: Source,
  plan: CollectPlan,
  signal: AbortSignal = new AbortController().signal,
): Promise<CollectedSamples> {
  const batches: SampleBatch[] = [];
  const collection = source.collect(plan, signal);
  for (;;) {
    const step = await collection.next();
    if (step.done === true) {
      await source.close?.();
      const [coverage] = step.value;
      assert.ok(coverage !== undefined);
      return { batches, series: batches.flatMap(batch => batch.series), coverage };
    }
    assert.equal(step.value.kind, 'samples');
    if (step.value.kind === 'samples') batches.push(step.value);
  }
}

/** What every server that speaks the API must lead to, the same for a fake and for a real one. */
export function testPrometheus(kind: string, start: () => Promise<PrometheusUnderTest>): void {
  let server: PrometheusUnderTest;
  before(async () => {
    server = await start();
  });
  after(() => server.close());
  const collect = (settings = {}, more: Partial<CollectPlan> = {}) =>
    collectSamples(prometheusSource(server.url, settings), metricsPlan(more));

  test(`${kind}: reads only series of nodes that a screen points at, of this job`, async () => {
    const { series: read } = await collect();
    const pairs = new Set(read.map(({ metric, node }) => `${node} ${metric}`));
    assert.deepEqual([...pairs].sort(), [
      'node-03 DCGM_FI_DEV_PCIE_REPLAY_COUNTER',
      'node-03 DCGM_FI_DEV_XID_ERRORS',
      'node-05 DCGM_FI_DEV_SM_CLOCK',
      'node-06 DCGM_FI_DEV_GPU_TEMP',
      'node-07 node_boot_time_seconds',
      'node-08 up',
      'node-09 up',
    ]);
  });

  test(`${kind}: samples come with the stamps they were stored under, inside the window`, async () => {
    const { series: read } = await collect();
    const gauge = read.find(({ metric, labels }) => metric.endsWith('XID_ERRORS') && labels['gpu'] === '1');
    assert.equal(gauge?.labels['UUID'], 'GPU-node-03-1');
    assert.equal(gauge?.values.length, 34);
    assert.equal(gauge?.nanos[0], windowStart + 7n * second);
    assert.deepEqual(new Set(gauge?.values), new Set([0, 79]));
    const changed = gauge?.nanos[gauge.values.indexOf(79)];
    assert.equal(changed, windowStart + 9n * minute + 7n * second);
  });

  test(`${kind}: the median handed on is that of the whole job`, async () => {
    const { batches } = await collect();
    const clock = batches.find(({ series: [first] }) => first?.metric === 'DCGM_FI_DEV_SM_CLOCK');
    assert.ok(clock?.centre !== undefined && clock.centre >= 1970 && clock.centre <= 1972);
  });

  test(`${kind}: a node is complete by its own samples only`, async () => {
    const { coverage } = await collect();
    assert.deepEqual(statusesOf([coverage], 'exporter'), {
      ...Object.fromEntries(jobNodes.map(node => [node, 'complete'])),
      'node-09': 'silent',
      'node-10': 'absent',
    });
    assert.ok(coverage.lines > 0 && coverage.streams > 0 && coverage.bytes > 0);
  });

  test(`${kind}: coverage tells of missing metrics, and of the one node that went silent`, async () => {
    const { coverage } = await collect();
    assert.ok(coverage.remarks.includes('the server has no series of DCGM_FI_DEV_ECC_DBE_VOL_TOTAL'));
    assert.ok(
      coverage.remarks.includes(
        "node_ metrics: node-08 had none any more at the window's end, while others had",
      ),
    );
  });

  test(`${kind}: the query of a reference, asked at its stamp, returns the sample`, async () => {
    const { batches } = await collect();
    for (const { query, series: read } of batches) {
      const [first] = read;
      const at = first?.nanos.at(-1) ?? 0n;
      const body = new URLSearchParams({ query, time: String(Number(at / 1_000_000n) / 1000) });
      const response = await fetch(`${server.url}/api/v1/query`, { method: 'POST', body });
      const { data } = (await response.json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] };
      };
      const found = data.result.find(({ metric }) => metric['gpu'] === first?.labels['gpu']);
      assert.equal(Number(found?.value[1]), first?.values.at(-1));
    }
  });

  test(`${kind}: nodes outside the plan are not read, and a session asks again only for what it lacks`, async () => {
    const { series: read, coverage } = await collect(
      {},
      { only: [{ source: 'metrics', nodes: ['node-05', 'node-09'] }] },
    );
    assert.deepEqual(new Set(read.map(({ node }) => node)), new Set(['node-05', 'node-09']));
    assert.deepEqual(statusesOf([coverage], 'exporter'), { 'node-05': 'complete', 'node-09': 'silent' });
  });

  test(`${kind}: nodes beyond the limit are truncated, and every screen keeps its first`, async () => {
    const { series: read, coverage } = await collect({ mostNodes: 5 });
    assert.equal(new Set(read.map(({ node }) => node)).size, 5);
    const statuses = Object.values(statusesOf([coverage], 'exporter'));
    assert.equal(statuses.filter(status => status === 'truncated').length, 1);
  });

  test(`${kind}: a fixed label matcher keeps another cluster's nodes out`, async () => {
    const { series: read, coverage } = await collect({ matchers: '{cluster="elsewhere"}' });
    assert.deepEqual(read, []);
    assert.deepEqual(new Set(Object.values(statusesOf([coverage], 'exporter'))), new Set(['absent']));
  });

  test(`${kind}: doctor names the metrics that are missing, and the line that adds each`, async () => {
    const parsed = parsePrometheusSettings({ name: 'metrics', kind: 'prometheus', url: server.url });
    assert.ok(parsed.ok);
    const clock = { ...machineClock, now: () => windowOfSuite.to };
    const source = createPrometheusSource(parsed.settings, { clock, log: silentLog, random: () => 0.5 });
    const checks = (await source.examine?.({ metrics: needsOfSuite }, new AbortController().signal)) ?? [];
    await source.close?.();
    const missing = checks.find(({ remedy }) => remedy.some(line => line.includes('ECC')));
    assert.equal(missing?.verdict, 'warn');
    assert.deepEqual(missing?.remedy, [
      'add to the counters file of dcgm-exporter (--collectors):',
      '  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL, counter, Total number of double-bit volatile ECC errors.',
    ]);
    const says = checks.map(check => check.says);
    assert.ok(
      says.includes('DCGM_ metrics: nodes may be named by Hostname (11 values), instance (11 values)'),
      says.join('\n'),
    );
    assert.ok(says.includes('DCGM_ metrics: a sample every 30 s'), says.join('\n'));
    assert.ok(checks.every(({ verdict }) => verdict !== 'fail'));
  });

  test(`${kind}: a metric may have another name here, and reaches the rules under theirs`, async () => {
    const needs: readonly MetricNeed[] = [{ metric: 'gpu_xid', when: 'changed', threshold: 0 }];
    const { series: read } = await collect(
      { metrics: { gpu_xid: 'DCGM_FI_DEV_XID_ERRORS' } },
      { metrics: needs },
    );
    assert.deepEqual(
      new Set(read.map(({ metric, node }) => `${metric} ${node}`)),
      new Set(['gpu_xid node-03']),
    );
  });
}
