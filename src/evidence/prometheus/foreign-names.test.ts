import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakePrometheus } from '../../../tests/support/fakes/prometheus.ts';
import type { StoredSeries } from '../../../tests/support/fakes/promql.ts';
import { planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import { collectSamples, prometheusSource, windowOfSuite } from '../../../tests/support/prometheus-suite.ts';
import type { NodeIdentity } from '../../core/ports.ts';

const metric = 'DCGM_FI_DEV_XID_ERRORS';
const endMs = Number(windowOfSuite.to / 1_000_000n);

/** A gauge that changes in the window, or not. */
function gauge(labels: Readonly<Record<string, string>>, code: number): StoredSeries {
  const samples = Array.from({ length: 30 }, (_, index): [number, number] => [
    endMs - (30 - index) * 30_000,
    index < 20 ? 0 : code,
  ]);
  return { labels: { __name__: metric, gpu: '0', ...labels }, samples };
}

async function read(nodes: readonly NodeIdentity[], series: readonly StoredSeries[], metrics = [metric]) {
  const server = await startFakePrometheus({ series });
  const needs = metrics.map(name => ({ metric: name, when: 'changed' as const, threshold: 0 }));
  const plan = planFor(
    nodes.map(({ name }) => name),
    windowOfSuite,
    { metrics: needs, nodes },
  );
  try {
    const { series: moved, coverage } = await collectSamples(prometheusSource(server.url), plan);
    const statuses = statusesOf([coverage], 'exporter');
    return { moved: moved.map(({ node }) => node), statuses, remarks: coverage.remarks };
  } finally {
    await server.close();
  }
}

const saysSo = (remarks: readonly string[]): boolean =>
  remarks.some(remark => remark.includes('another cluster'));

test('a full name of another domain is no node of the job, where the job has full names', async () => {
  const { moved, statuses } = await read(
    [{ name: 'node-01.site.example', aliases: ['node-01'] }],
    [gauge({ Hostname: 'node-01.site.example' }, 0), gauge({ Hostname: 'node-01.other.example' }, 79)],
  );
  assert.deepEqual(moved, []);
  assert.deepEqual(statuses, { 'node-01.site.example': 'complete' });
});

test('full names of two domains are of two machines, and neither counts for a short name', async () => {
  const { moved, statuses, remarks } = await read(
    [
      { name: 'node-01', aliases: [] },
      { name: 'node-02', aliases: [] },
    ],
    [
      gauge({ Hostname: 'node-01.site.example' }, 0),
      gauge({ Hostname: 'node-01.other.example' }, 79),
      gauge({ Hostname: 'node-02.site.example' }, 79),
    ],
  );
  assert.deepEqual(moved, ['node-02']);
  assert.deepEqual(statuses, { 'node-01': 'absent', 'node-02': 'complete' });
  assert.ok(saysSo(remarks));
});

test('a machine of another domain does not stand in for a node that is silent', async () => {
  const { moved, statuses, remarks } = await read(
    ['node-01', 'node-02', 'node-03'].map(name => ({ name, aliases: [] })),
    [
      gauge({ Hostname: 'node-02.site.example' }, 0),
      gauge({ Hostname: 'node-03.site.example' }, 0),
      gauge({ Hostname: 'node-01.other.example' }, 79),
    ],
  );
  assert.deepEqual(moved, []);
  assert.deepEqual(statuses, { 'node-01': 'absent', 'node-02': 'complete', 'node-03': 'complete' });
  assert.ok(saysSo(remarks));
});

test('the name as the job has it counts before a full one', async () => {
  const { moved, statuses, remarks } = await read(
    [{ name: 'node-01', aliases: [] }],
    [gauge({ Hostname: 'node-01' }, 0), gauge({ Hostname: 'node-01.other.example' }, 79)],
  );
  assert.deepEqual(moved, []);
  assert.deepEqual(statuses, { 'node-01': 'complete' });
  assert.ok(saysSo(remarks));
});

test('exporters that name one machine by two domains are believed neither', async () => {
  const other = gauge({ __name__: 'node_boot_time_seconds', instance: 'node-01.other.example:9100' }, 5);
  const { moved, statuses } = await read(
    [{ name: 'node-01', aliases: [] }],
    [gauge({ Hostname: 'node-01.site.example' }, 79), other],
    [metric, 'node_boot_time_seconds'],
  );
  assert.deepEqual(moved, []);
  assert.deepEqual(statuses, { 'node-01': 'absent' });
});

test('what the exporters of the peers are called speaks for every kind of exporter', async () => {
  const other = gauge({ __name__: 'node_boot_time_seconds', instance: 'node-01.other.example:9100' }, 5);
  const { moved, statuses } = await read(
    ['node-01', 'node-02', 'node-03'].map(name => ({ name, aliases: [] })),
    [gauge({ Hostname: 'node-02.site.example' }, 0), gauge({ Hostname: 'node-03.site.example' }, 0), other],
    [metric, 'node_boot_time_seconds'],
  );
  assert.deepEqual(moved, []);
  assert.equal(statuses['node-01'], 'absent');
});
