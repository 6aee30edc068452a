import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { minute, second } from '../../src/core/time.ts';
import { metricNeeds } from '../../src/engine/corpus/metrics.ts';
import { startFakePrometheus } from '../support/fakes/prometheus.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { planFor, statusesOf } from '../support/log-lines.ts';
import { collectSamples, prometheusSource } from '../support/prometheus-suite.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const nodes = Array.from({ length: 10_000 }, (_, index) => `node-${String(index + 1).padStart(5, '0')}`);
const bad = 'node-04217';
const stampsMs = [1, 5, 9, 13, 16].map(minutes => Number(from / 1_000_000n) + minutes * 60_000);
const delayMs = 150;

/** Gauges that are what they are everywhere but on one node, and clocks that are never quite the same. */
function clusterSeries(): readonly StoredSeries[] {
  return nodes.flatMap((node, index) => {
    const of = (metric: string, course: (at: number) => number): StoredSeries => ({
      labels: { __name__: metric, Hostname: node, instance: `10.0.0.1:${index}`, gpu: '0' },
      samples: stampsMs.map((millis, at) => [millis, course(at)]),
    });
    return [
      of('DCGM_FI_DEV_XID_ERRORS', at => (node === bad && at > 2 ? 79 : index % 50 === 0 ? 31 : 0)),
      of('DCGM_FI_DEV_SM_CLOCK', at => 1950 + ((index + at) % 40)),
      of('DCGM_FI_DEV_GPU_TEMP', at => 55 + ((index + at) % 20)),
      of('DCGM_FI_DEV_ROW_REMAP_FAILURE', at => (node === bad && at > 2 ? 1 : 0)),
    ];
  });
}

const series = clusterSeries();

test('of ten thousand nodes only the one that moved is read, in few queries', async t => {
  const server = await startFakePrometheus({ series, delayMs, atOnce: 16 });
  const plan = planFor(nodes, window, { metrics: metricNeeds(await openCorpus()) });
  const read = await collectSamples(prometheusSource(server.url), plan);
  await server.close();
  t.diagnostic(`${server.requests.length} queries, ${read.coverage.bytes} bytes`);
  const pairs = new Set(read.series.map(({ node, metric }) => `${node} ${metric}`));
  assert.deepEqual(pairs, new Set([`${bad} DCGM_FI_DEV_XID_ERRORS`, `${bad} DCGM_FI_DEV_ROW_REMAP_FAILURE`]));
  assert.deepEqual(
    read.coverage.groups.map(({ status, nodes: list, count }) => [status, list, count]),
    [['complete', 'node-[00001-10000]', 10_000]],
  );
  assert.ok(
    server.requests.length * delayMs < 8 * 6000,
    'at eight at once, six seconds of waiting at the most',
  );
  assert.ok(read.coverage.bytes < 4_000_000);
});

test('of a part of the cluster, the smaller side is named in queries, and the other jobs stay out', async () => {
  for (const count of [3000, 7000]) {
    const server = await startFakePrometheus({ series });
    const job = nodes.slice(0, count);
    const needs = metricNeeds(await openCorpus());
    const read = await collectSamples(prometheusSource(server.url), planFor(job, window, { metrics: needs }));
    await server.close();
    const named = count === 3000 ? [] : [bad];
    assert.deepEqual(new Set(read.series.map(({ node }) => node)), new Set(named));
    assert.deepEqual(new Set(Object.values(statusesOf([read.coverage], 'exporter'))), new Set(['complete']));
    const longest = Math.max(
      ...server.requests.map(({ parameters }) => (parameters.get('query') ?? '').length),
    );
    assert.ok(longest < 3100 * 12, `${longest} bytes`);
  }
});
