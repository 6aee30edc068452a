import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FakeServer } from '../../../tests/support/fakes/fake-server.ts';
import { type FakeLokiOptions, startFakeLoki } from '../../../tests/support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../../../tests/support/fakes/loki-under-test.ts';
import { type Collected, collectLines, planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import { assertOrdered, type LoggedLine } from '../../../tests/support/log-store-suite.ts';
import type { CollectPlan } from '../../core/ports.ts';
import { minute, second } from '../../core/time.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };

function kernel(node: string, offset: bigint, line: string): LoggedLine {
  return { origin: 'kernel', node, nanos: from + offset, line };
}

/** Fills a server, reads it and tells what was asked. */
async function read(
  options: FakeLokiOptions,
  lines: readonly LoggedLine[],
  plan: CollectPlan,
  settings: Readonly<Record<string, unknown>> = {},
  prepare: (server: FakeServer) => Promise<void> = async () => {},
): Promise<Collected & { readonly queries: FakeServer['requests'] }> {
  const server = await startFakeLoki(options);
  await pushToLoki(server.url, 'a', lines);
  await prepare(server);
  const pushed = server.requests.length;
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', job: false, epilog: false, ...settings });
  try {
    return { ...(await collectLines(source, plan)), queries: server.requests.slice(pushed) };
  } finally {
    await source.close?.();
    await server.close();
  }
}

const burst = (node: string, count: number): readonly LoggedLine[] =>
  Array.from({ length: count }, (_, index) => kernel(node, second, `line ${index}`));

test('the cap on entries is learned from the refusal, and pages shrink to it', async () => {
  const lines = Array.from({ length: 250 }, (_, index) =>
    kernel('node-01', BigInt(index) * second, `line ${index}`),
  );
  const {
    lines: got,
    coverage,
    queries,
  } = await read({ mostEntries: 100 }, lines, planFor(['node-01'], window));
  assert.equal(got.length, 250);
  assertOrdered(got);
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete' });
  const refused = queries.filter(({ parameters }) => Number(parameters.get('limit')) > 100);
  assert.equal(refused.length, 1);
});

test('a node of which no line holds text is not complete, one with an empty line among others is', async () => {
  const lines = [
    kernel('node-01', second, ''),
    kernel('node-01', 2n * second, ' '),
    kernel('node-02', second, ''),
    kernel('node-02', 2n * second, 'usb 1-1: new device'),
  ];
  const { coverage } = await read({}, lines, planFor(['node-01', 'node-02'], window));
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'truncated', 'node-02': 'complete' });
});

test('a page of one stamp alone is asked for again with a higher limit', async () => {
  const { lines, coverage } = await read({}, burst('node-01', 300), planFor(['node-01'], window), {
    pageLines: 100,
  });
  assert.equal(lines.length, 300);
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete' });
});

test('where no limit shows all entries of a stamp, that is truncation, and what follows is still read', async () => {
  const lines = [...burst('node-01', 300), kernel('node-01', 2n * second, 'last')];
  const { lines: got, coverage } = await read({ mostEntries: 100 }, lines, planFor(['node-01'], window));
  assert.equal(got.length, 101);
  assert.equal(got.at(-1)?.text, 'last');
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'truncated' });
  assert.match(coverage[0]?.groups[0]?.reason ?? '', /share one stamp/);
});

const many = Array.from({ length: 60 }, (_, index) => `node-${String(index + 1).padStart(3, '0')}`);
const oneEach = many.map(node => kernel(node, second, 'usb 1-1: new device'));
const allComplete = Object.fromEntries(many.map(node => [node, 'complete']));

test('nodes are counted in groups that the limit on series allows, also where only the refusal tells it', async () => {
  const { coverage } = await read({ mostSeries: 7 }, oneEach, planFor(many, window));
  assert.deepEqual(statusesOf(coverage, 'kernel'), allComplete);
});

test('a query that the server finds too long is asked for in halves', async () => {
  const { coverage, lines } = await read({ queryBytes: 300 }, oneEach, planFor(many, window), { nodeShare: 1 });
  assert.deepEqual(statusesOf(coverage, 'kernel'), allComplete);
  assert.equal(lines.length, 60);
});

test('queries name nodes up to the share of the cluster, and no more', async () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => kernel(`other-${index}`, second, 'usb'));
  const named = await read({}, [...oneEach, ...others(300)], planFor(many, window), {
    queryBytes: 500,
  });
  const rangesOf = ({ queries }: { queries: FakeServer['requests'] }) =>
    queries
      .filter(
        ({ path, parameters }) => path.endsWith('query_range') && parameters.get('direction') === 'forward',
      )
      .map(({ parameters }) => parameters.get('query') ?? '');
  assert.ok(rangesOf(named).length > 1);
  assert.ok(rangesOf(named).every(query => query.includes('node-0') && Buffer.byteLength(query) <= 500));
  const all = await read({}, [...oneEach, ...others(100)], planFor(many, window), { queryBytes: 500 });
  assert.deepEqual(rangesOf(all), ['{cluster="a",job="kernel"}']);
  assert.equal(all.lines.length, 60);
  assert.ok(all.coverage[0]?.remarks.some(remark => remark.includes('too many to name')));
});

test('a window longer than max_query_length is read in parts', async () => {
  const lines = [kernel('node-01', second, 'first'), kernel('node-01', 16n * minute, 'last')];
  const limit = { queryLengthNanos: 5n * minute };
  const { lines: got, coverage } = await read(limit, lines, planFor(['node-01'], window), { knownHours: 0.1 });
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete' });
  assert.deepEqual(
    got.map(({ text }) => text),
    ['first', 'last'],
  );
});

test('a look-back limit that cuts silently is said, and no node beyond it is complete', async () => {
  const lines = [kernel('node-01', second, 'early'), kernel('node-02', 16n * minute, 'late')];
  const limit = { lookbackFrom: from + 10n * minute };
  const { coverage } = await read(limit, lines, planFor(['node-01', 'node-02'], window));
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'absent', 'node-02': 'complete' });
  assert.ok(coverage[0]?.remarks.some(remark => remark.includes('look-back')));
});

test('nothing is said of retention where the store reaches back', async () => {
  const lines = [kernel('node-01', -minute, 'before'), kernel('node-01', second, 'in')];
  const { coverage } = await read({}, lines, planFor(['node-01'], window));
  assert.deepEqual(coverage[0]?.remarks, []);
});

test('a server with tenants is asked for all of them', async () => {
  const server = await startFakeLoki({ tenant: 'team-a|team-b' });
  const plan = planFor(['node-01'], window);
  for (const [tenant, status] of [
    [['team-a', 'team-b'], 'absent'],
    ['team-a', 'failed'],
  ] as const) {
    const source = lokiSource(server.url, { matchers: '{cluster="a"}', tenant });
    const { coverage } = await collectLines(source, plan);
    await source.close?.();
    assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': status });
  }
  await server.close();
});

/** Puts entries in whose labels the suite does not make. */
async function push(
  server: FakeServer,
  stream: Record<string, string>,
  values: readonly unknown[],
): Promise<void> {
  const body = JSON.stringify({ streams: [{ stream, values }] });
  await fetch(`${server.url}/loki/api/v1/push`, { method: 'POST', body });
}

test('the label that names most of the nodes is found, ports and domains aside', async () => {
  const stamp = String(from + second);
  const { lines, coverage } = await read({}, [], planFor(['node-01', 'node-02'], window), {}, async server => {
    const kernelLabels = { cluster: 'a', job: 'kernel', node: 'rack-7' };
    await push(server, { ...kernelLabels, instance: 'node-01:9100' }, [[stamp, 'one']]);
    await push(server, { ...kernelLabels, instance: 'node-02.example:9100' }, [[stamp, 'two']]);
  });
  assert.deepEqual(lines.map(({ header, text }) => [header.node, text]).sort(), [
    ['node-01', 'one'],
    ['node-02', 'two'],
  ]);
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete', 'node-02': 'complete' });
});

test('a job id that is metadata of entries is asked for behind the selector', async () => {
  const server = await startFakeLoki();
  const stamp = String(from + second);
  await push(server, { cluster: 'a', app: 'slurm' }, [
    [stamp, 'mine', { job_id: '4711' }],
    [stamp, "another's", { job_id: '4712' }],
  ]);
  const job = { selector: '{app="slurm"}', idIn: 'metadata' };
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', kernel: false, epilog: false, job });
  const { lines, coverage } = await collectLines(source, planFor(['node-01'], window));
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['mine'],
  );
  assert.deepEqual(statusesOf(coverage, 'job'), { '': 'complete' });
  await source.close?.();
  await server.close();
});

test('names that are none do not reach a query', async () => {
  const evil = 'node-01"} or {job=~".+';
  const { queries, coverage } = await read({}, [], planFor([evil], window), {}, server =>
    push(server, { cluster: 'a', job: 'kernel', host: evil }, [[String(from + second), 'one']]),
  );
  assert.ok(queries.every(({ parameters }) => !(parameters.get('query') ?? '').includes('node-01')));
  assert.equal(coverage[0]?.groups[0]?.status, 'absent');
  assert.ok(coverage[0]?.remarks.some(remark => remark.includes('cannot be put into a query')));
});

test('a workload id is quoted, whatever it holds', async () => {
  const plan = planFor(['node-01'], window);
  const workloadId = '47"} or {job=~".+';
  const server = await startFakeLoki();
  await pushToLoki(server.url, 'a', [
    { origin: 'job', node: 'login-01', job: workloadId, file: 'x', nanos: from + second, line: 'mine' },
    { origin: 'job', node: 'login-01', job: '47', file: 'x', nanos: from + second, line: 'not mine' },
  ]);
  const source = lokiSource(server.url, { matchers: '{cluster="a"}' });
  const { lines } = await collectLines(source, { ...plan, request: { ...plan.request, workloadId } });
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['mine'],
  );
  await source.close?.();
  await server.close();
});

test('without nodes no log of nodes is read: the faults of other jobs are in there', async () => {
  const { lines, coverage } = await read({}, oneEach, planFor([], window));
  assert.deepEqual(lines, []);
  assert.equal(coverage[0]?.groups[0]?.status, 'unknown');
});

test('empty lines prove nothing of any node or job, whether the server filters or not', async () => {
  const lines = [
    kernel('node-01', second, ''),
    kernel('node-02', second, ' '),
    { ...kernel('node-01', second, ''), origin: 'job', job: '4711', file: 'out' } as const,
  ];
  const plan = planFor(['node-01', 'node-02'], window, { cover: { kernel: ['xid'], job: ['traceback'] } });
  for (const few of [0, 1000]) {
    const { coverage } = await read({}, lines, plan, {
      unfilteredLines: few,
      unfilteredJobLines: few,
      job: undefined,
    });
    assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'failed', 'node-02': 'failed' });
    assert.deepEqual(statusesOf(coverage, 'job'), { '': 'failed' });
  }
});
