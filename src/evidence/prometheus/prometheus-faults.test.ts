import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TransportFault, transportFaults } from '../../../tests/support/fakes/fake-server.ts';
import {
  type FakePrometheusOptions,
  type PrometheusContentFault,
  prometheusContentFaults,
  startFakePrometheus,
} from '../../../tests/support/fakes/prometheus.ts';
import { statusesOf } from '../../../tests/support/log-lines.ts';
import {
  type CollectedSamples,
  collectSamples,
  jobNodes,
  metricsPlan,
  prometheusSource,
  recordedSeries,
  windowOfSuite,
} from '../../../tests/support/prometheus-suite.ts';

const small = {
  retries: 0,
  answerBytes: 256 * 1024,
  expandedBytes: 256 * 1024,
  breakerFailures: 1000,
};
/** Beyond this much after the deadline an answer is late. */
const slackMs = 2000;
const series = recordedSeries();

async function run(
  options: Partial<FakePrometheusOptions>,
  {
    late = null,
    settings = {},
    signal,
  }: {
    readonly late?: TransportFault | null;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<CollectedSamples> {
  const server = await startFakePrometheus({ series, floodBytes: 10 * small.answerBytes, ...options });
  if (late !== null) await server.breakDown(late);
  try {
    const timeoutMs = late === 'one byte a second' ? 500 : 60_000;
    const source = prometheusSource(server.url, { ...small, timeoutMs, ...settings });
    return await collectSamples(source, metricsPlan(), signal);
  } finally {
    await server.close();
  }
}

function statuses({ coverage }: CollectedSamples): readonly string[] {
  return [...new Set(Object.values(statusesOf([coverage], 'exporter')))];
}

for (const fault of transportFaults) {
  test(`${fault}: nothing is read, and coverage says why`, async () => {
    const atStart = fault === 'expired certificate';
    const read = await run(atStart ? { fault } : {}, { late: atStart ? null : fault });
    assert.deepEqual(read.series, []);
    assert.deepEqual(statuses(read), [fault === 'one byte a second' ? 'timed_out' : 'failed']);
    const reasons = read.coverage.groups.map(({ reason }) => reason);
    assert.ok(reasons.every(reason => reason !== null && !reason.includes('127.0.0')));
  });

  if (fault === 'refused' || fault === 'expired certificate') continue;
  test(`${fault} where samples are asked for: no node is complete`, async () => {
    const read = await run({ faultOn: /query$/ }, { late: fault });
    assert.deepEqual(read.series, []);
    assert.ok(!statuses(read).includes('complete'));
  });
}

/** Faults that leave the samples what they are. */
const harmless: readonly PrometheusContentFault[] = ['duplicate series', 'out-of-order page'];

for (const content of prometheusContentFaults) {
  test(`${content}: no sample is made up, and none is complete without samples`, async () => {
    const read = await run({ content });
    const whole = harmless.includes(content);
    const xids = read.series.filter(({ metric }) => metric === 'DCGM_FI_DEV_XID_ERRORS');
    assert.equal(
      xids.some(({ node, values }) => node === 'node-03' && values.includes(79)),
      whole || content === 'clock five minutes off',
    );
    for (const { nanos, values } of read.series) {
      assert.ok(nanos.every(stamp => stamp >= windowOfSuite.from && stamp < windowOfSuite.to));
      assert.ok(nanos.every((stamp, index) => index === 0 || stamp > (nanos[index - 1] ?? 0n)));
      assert.equal(values.length, nanos.length);
    }
    const identities = read.series.map(({ labels }) => JSON.stringify(labels));
    assert.equal(new Set(identities).size, identities.length);
    const byNode = statusesOf([read.coverage], 'exporter');
    assert.notEqual(byNode['node-10'], 'complete');
    if (whole) assert.equal(byNode['node-03'], 'complete');
    const proved = content === 'clock five minutes off' || whole;
    assert.equal(Object.values(byNode).includes('complete'), proved);
  });
}

test('NaN is stale: it neither moves a series nor is it read as a value', async () => {
  const read = await run({ content: 'NaN' });
  assert.deepEqual(read.series, []);
});

test('a server without one sample for half the nodes proves the other half only', async () => {
  const half = new Set(jobNodes.slice(0, 5));
  const read = await run({
    series: series.filter(({ labels }) =>
      half.has((labels['Hostname'] ?? labels['instance'] ?? '').slice(0, 7)),
    ),
  });
  const byNode = statusesOf([read.coverage], 'exporter');
  for (const node of jobNodes) assert.equal(byNode[node], half.has(node) ? 'complete' : 'absent');
});

test('a query that would load too many samples is asked in parts', async () => {
  const read = await run({ mostSamples: 500 });
  assert.ok(read.series.some(({ node, values }) => node === 'node-03' && values.includes(79)));
  assert.equal(statusesOf([read.coverage], 'exporter')['node-03'], 'complete');
});

test('what no part of a query may load makes nodes truncated', async () => {
  const read = await run({ mostSamples: 10 });
  assert.ok(!statuses(read).includes('complete'));
  assert.equal(statusesOf([read.coverage], 'exporter')['node-03'], 'truncated');
});

test('more samples than may be read make nodes truncated', async () => {
  const read = await run({}, { settings: { mostSamples: 80 } });
  assert.ok(read.coverage.lines <= 80);
  assert.ok(statuses(read).includes('truncated'));
});

test('what is not answered by the deadline is timed out, and not waited for', async () => {
  const began = performance.now();
  const read = await run(
    {},
    {
      late: 'one byte a second',
      settings: { timeoutMs: 60_000 },
      signal: AbortSignal.timeout(200),
    },
  );
  assert.ok(performance.now() - began < 200 + slackMs);
  assert.deepEqual(statuses(read), ['timed_out']);
});
