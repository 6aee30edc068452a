import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import type { Source } from '../../src/core/ports.ts';
import { minute, second } from '../../src/core/time.ts';
import { metricNeeds } from '../../src/engine/corpus/metrics.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { elasticsearchContentFaults, startFakeElasticsearch } from '../support/fakes/elasticsearch.ts';
import { elasticsearchSource, pushToElasticsearch } from '../support/fakes/elasticsearch-under-test.ts';
import {
  type FakeServer,
  type FakeServerOptions,
  type TransportFault,
  transportFaults,
} from '../support/fakes/fake-server.ts';
import { lokiContentFaults, startFakeLoki } from '../support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../support/fakes/loki-under-test.ts';
import { prometheusContentFaults, startFakePrometheus } from '../support/fakes/prometheus.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { slurmContentFaults, startFakeSlurmrestd } from '../support/fakes/slurmrestd.ts';
import { startFakeVictoriaLogs, victoriaLogsContentFaults } from '../support/fakes/victorialogs.ts';
import { pushToVictoriaLogs, victoriaLogsSource } from '../support/fakes/victorialogs-under-test.ts';
import type { LoggedLine } from '../support/log-store-suite.ts';
import { prometheusSource } from '../support/prometheus-suite.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { silentLog } from '../support/silent-log.ts';
import { failingJob, slurmSource } from '../support/slurm-job.ts';

/** The moment of the failure, in seconds. */
const noon = 1_796_126_400;
const moment = BigInt(noon) * second;
const window = { from: moment - 15n * minute, to: moment + 2n * minute };
const nodes = ['node-01', 'node-02', 'node-03'];
const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 0 } });
/** Beyond this much after the deadline an answer is late. */
const slackMs = 2000;

let engine: Engine;
before(async () => {
  engine = openEngine(settings, await openCorpus());
});
after(() => engine.pool.close());

const kernel = (node: string, offset: bigint, line: string): LoggedLine => ({
  origin: 'kernel',
  node,
  nanos: moment + offset,
  line,
});
/** A fault that would be named if its line were read, among nodes that show nothing. */
const lines = [
  ...nodes.map(node => kernel(node, -2n * minute, 'usb 1-1: new device')),
  kernel('node-02', -minute, 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1, GPU has fallen off the bus.'),
];
/** The same as the exporter of each node sees it. */
const series = nodes.map((node): StoredSeries => {
  const xid = (millis: number): number => (node === 'node-02' && millis > (noon - 60) * 1000 ? 79 : 0);
  const samples = Array.from({ length: 80 }, (_, index): [number, number] => {
    const millis = (noon - 1800 + index * 30) * 1000;
    return [millis, xid(millis)];
  });
  const labels = { Hostname: node, instance: `${node}:9400`, gpu: '0', UUID: `GPU-${node}` };
  return { labels: { __name__: 'DCGM_FI_DEV_XID_ERRORS', ...labels }, samples };
});

interface Faulty {
  readonly kind: string;
  readonly contentFaults: readonly string[];
  /** Those that lose nothing: the node is named all the same. */
  readonly lossless: readonly string[];
  /** Those after which an answer may name the node or nobody. */
  readonly open: readonly string[];
  start(options: FakeServerOptions & { readonly content?: string | null }): Promise<FakeServer>;
  push(url: string): Promise<void>;
  source(url: string, settings: Readonly<Record<string, unknown>>): Source;
}

const known = <T extends string>(all: readonly T[], word: string | null | undefined): T | null =>
  all.find(each => each === word) ?? null;
const oneCluster = { matchers: '{cluster="a"}' };
const logs = { lossless: ['duplicate streams', 'out-of-order page'], open: ['clock five minutes off'] };

const sources: readonly Faulty[] = [
  {
    kind: 'Loki',
    contentFaults: lokiContentFaults,
    ...logs,
    start: options => startFakeLoki({ ...options, content: known(lokiContentFaults, options.content) }),
    push: url => pushToLoki(url, 'a', lines),
    source: (url, more) => lokiSource(url, { ...oneCluster, ...more }),
  },
  {
    kind: 'VictoriaLogs',
    contentFaults: victoriaLogsContentFaults,
    ...logs,
    start: options =>
      startFakeVictoriaLogs({ ...options, content: known(victoriaLogsContentFaults, options.content) }),
    push: url => pushToVictoriaLogs(url, 'a', lines),
    source: (url, more) => victoriaLogsSource(url, { ...oneCluster, ...more }),
  },
  {
    kind: 'Elasticsearch',
    contentFaults: elasticsearchContentFaults,
    ...logs,
    start: options =>
      startFakeElasticsearch({ ...options, content: known(elasticsearchContentFaults, options.content) }),
    push: url => pushToElasticsearch(url, 'a', lines),
    source: (url, more) => elasticsearchSource(url, { terms: { cluster: 'a' }, ...more }),
  },
  {
    kind: 'Prometheus',
    contentFaults: prometheusContentFaults,
    lossless: ['duplicate series', 'out-of-order page'],
    // A clock that is off may move the change out of the window, and a partial answer may hold it.
    open: ['clock five minutes off', 'partial'],
    start: options =>
      startFakePrometheus({ ...options, series, content: known(prometheusContentFaults, options.content) }),
    push: async () => {},
    source: prometheusSource,
  },
  {
    kind: 'Slurm',
    contentFaults: slurmContentFaults,
    lossless: ['duplicate records', 'records in another order', 'errors beside records'],
    open: ['NaN', 'clock five minutes off', 'future stamps', 'no names'],
    start: options =>
      startFakeSlurmrestd({
        ...options,
        slurm: failingJob(noon),
        content: known(slurmContentFaults, options.content),
      }),
    push: async () => {},
    source: slurmSource,
  },
];

interface Fault {
  readonly transport?: TransportFault;
  readonly content?: string;
}

async function answerTo(faulty: Faulty, { transport, content }: Fault, soft = new AbortController().signal) {
  const atStart = transport === 'expired certificate';
  const options = { content: content ?? null, fault: atStart ? transport : null, floodBytes: 2_000_000 };
  const server = await faulty.start(options);
  if (!atStart) await faulty.push(server.url);
  if (transport !== undefined && !atStart) await server.breakDown(transport);
  const source = faulty.source(server.url, {
    timeoutMs: transport === 'one byte a second' && !soft.aborted ? 500 : 60_000,
    retries: 1,
    answerBytes: 200_000,
    expandedBytes: 200_000,
  });
  const parts = reasoningOver(settings, engine, [source], { log: silentLog });
  const request = sampleRequest({
    workloadId: '42',
    scope: { nodes, ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: moment, detectionSignal: 'crash' },
  });
  const scope = { windows: [window], epilogWindow: null, notYet: null, only: null, everything: false, moment };
  const context = { soft, report: () => {}, now: window.to };
  const nothing = { symptoms: [], coverage: [] };
  const { outcome } = await attributeFailure(parts, request, scope, nothing, context);
  await source.close?.();
  await server.close();
  return {
    named: outcome.findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])),
    error: outcome.problem?.type ?? null,
    complete: outcome.coverage.some(({ groups }) => groups.some(({ status }) => status === 'complete')),
  };
}

const nobody = { named: [], error: 'insufficient_telemetry', complete: false };

for (const faulty of sources) {
  const { kind } = faulty;

  test(`${kind}: without a fault the node is named`, async () => {
    assert.deepEqual(await answerTo(faulty, {}), { named: ['node-02'], error: null, complete: true });
  });

  for (const transport of transportFaults) {
    test(`${kind}, ${transport}: nobody is named, and telemetry is insufficient`, async () => {
      assert.deepEqual(await answerTo(faulty, { transport }), nobody);
    });
  }

  for (const content of faulty.contentFaults) {
    test(`${kind}, ${content}: no node is named that was not seen to fail`, async () => {
      const answer = await answerTo(faulty, { content });
      assert.ok(answer.named.every(node => node === 'node-02'));
      if (faulty.lossless.includes(content)) assert.deepEqual(answer.named, ['node-02']);
      else if (!faulty.open.includes(content)) assert.deepEqual(answer, nobody);
      // An answer without a name says that too little was read unless something was read to its end.
      if (answer.named.length === 0) assert.equal(answer.error === null, answer.complete);
    });
  }

  test(`${kind}: an answer is not late for a source that drips`, async () => {
    const began = performance.now();
    const soft = AbortSignal.timeout(300);
    const { named, error } = await answerTo(faulty, { transport: 'one byte a second' }, soft);
    assert.deepEqual({ named, error }, { named: [], error: 'timeout' });
    assert.ok(performance.now() - began < 500 + slackMs);
  });
}

test('a Slurm that drips leaves the others their time: the node is named from its log', async () => {
  const loki = await startFakeLoki();
  await pushToLoki(loki.url, 'a', lines);
  const restd = await startFakeSlurmrestd({ slurm: failingJob(noon) });
  await restd.breakDown('one byte a second');
  const patient = { timeoutMs: 60_000 };
  const both = [slurmSource(restd.url, patient), lokiSource(loki.url, { ...oneCluster, ...patient })];
  const parts = reasoningOver(settings, engine, both, { log: silentLog });
  const timeoutMs = 4000;
  const request = sampleRequest({
    workloadId: '42',
    scope: { nodes, ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: moment, detectionSignal: 'crash' },
    timeoutMs,
  });
  const scope = { windows: [window], epilogWindow: null, notYet: null, only: null, everything: false, moment };
  const began = performance.now();
  const context = { soft: AbortSignal.timeout(0.9 * timeoutMs), report: () => {}, now: window.to };
  const nothing = { symptoms: [], coverage: [] };
  const { outcome } = await attributeFailure(parts, request, scope, nothing, context);
  assert.ok(performance.now() - began < timeoutMs + slackMs);
  for (const source of both) await source.close?.();
  await loki.close();
  await restd.close();
  assert.deepEqual(
    outcome.findings.map(({ target }) => target),
    [{ type: 'Node', node: 'node-02' }],
  );
  assert.equal(outcome.problem?.type, 'timeout');
  const slurm = outcome.coverage.find(({ origin }) => origin === 'scheduler');
  assert.deepEqual(new Set(slurm?.groups.map(({ status }) => status)), new Set(['timed_out']));
  assert.ok(slurm?.remarks.some(remark => remark.includes('where and when the job ran')));
});

test('the rules look at the metric that the exporter is given here', async () => {
  const metrics = metricNeeds(await openCorpus()).map(({ metric }) => metric);
  assert.ok(metrics.includes('DCGM_FI_DEV_XID_ERRORS'));
});
