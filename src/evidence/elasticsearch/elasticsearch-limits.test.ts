import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FakeElasticsearchOptions,
  startFakeElasticsearch,
} from '../../../tests/support/fakes/elasticsearch.ts';
import {
  elasticsearchSource,
  pushToElasticsearch,
} from '../../../tests/support/fakes/elasticsearch-under-test.ts';
import { collectLines, machineClock, planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import type { LoggedLine } from '../../../tests/support/log-store-suite.ts';
import { minute, second } from '../../core/time.ts';
import { parseElasticsearchSettings } from './settings.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const lines: readonly LoggedLine[] = Array.from({ length: 300 }, (_, index) => ({
  origin: 'kernel',
  node: 'node-01',
  nanos: from + second,
  line: `line ${index}`,
}));

async function read(options: FakeElasticsearchOptions, settings: Readonly<Record<string, unknown>> = {}) {
  const server = await startFakeElasticsearch(options);
  await pushToElasticsearch(server.url, 'a', lines);
  const source = elasticsearchSource(server.url, {
    terms: { cluster: 'a' },
    job: false,
    epilog: false,
    ...settings,
  });
  try {
    const { lines: got, coverage } = await collectLines(source, planFor(['node-01'], window));
    const [kernel] = coverage;
    return { got, statuses: statusesOf(coverage, 'kernel'), kernel };
  } finally {
    await source.close?.();
    await server.close();
  }
}

test('pages of points in time hold each document once, and all are closed', async () => {
  const server = await startFakeElasticsearch();
  await pushToElasticsearch(server.url, 'a', lines);
  const source = elasticsearchSource(server.url, { terms: { cluster: 'a' }, pageLines: 40 });
  const { lines: got, coverage } = await collectLines(source, planFor(['node-01'], window));
  await source.close?.();
  await server.close();
  assert.equal(new Set(got.map(({ text }) => text)).size, 300);
  assert.equal(got.length, 300);
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete' });
  const points = server.requests.filter(({ path }) => path.endsWith('/_pit')).map(({ method }) => method);
  const opened = points.filter(method => method === 'POST').length;
  assert.ok(opened > 0);
  assert.equal(points.filter(method => method === 'DELETE').length, opened);
});

test('a server without an order that has no ties is paged by time, and larger pages show a full stamp', async () => {
  const { got, statuses } = await read({ shardDoc: false }, { pageLines: 40 });
  assert.equal(new Set(got.map(({ text }) => text)).size, 300);
  assert.equal(got.length, 300);
  assert.deepEqual(statuses, { 'node-01': 'complete' });
});

test('the most documents of an answer are learned from the refusal', async () => {
  for (const like of ['elasticsearch', 'opensearch'] as const) {
    const { got, statuses } = await read({ like, mostDocuments: 50 }, { pageLines: 5000 });
    assert.equal(got.length, 300, like);
    assert.deepEqual(statuses, { 'node-01': 'complete' });
  }
  const cut = await read({ like: 'plain', mostDocuments: 50 }, { pageLines: 5000 });
  assert.deepEqual(cut.statuses, { 'node-01': 'truncated' });
});

test('an answer without all shards, or stopped early, completes no node', async () => {
  for (const options of [{ failedShards: 2 }, { unassignedShards: 1 }, { stopsEarly: true }]) {
    const { statuses, kernel } = await read(options);
    assert.deepEqual(statuses, { 'node-01': 'truncated' });
    assert.match(kernel?.groups[0]?.reason ?? '', /shards did not answer|before the end/);
  }
});

test('mistakes name place and remedy', () => {
  const least = { name: 'logs', kind: 'elasticsearch', url: 'http://127.0.0.1:9200', index: 'logs-*' };
  assert.ok(parseElasticsearchSettings(least).ok);
  const key = { type: 'bearer', scheme: 'ApiKey', tokenFile: '/run/secrets/key' };
  assert.ok(parseElasticsearchSettings({ ...least, authentication: key }).ok);
  for (const [written, expected] of [
    [{ index: undefined }, /^index: |lacks a setting: add index/],
    [{ index: 'logs/../x' }, /^index: /],
    [{ kernel: { terms: { job: 1 } } }, /^kernel\.terms\.job: /],
    [{ nodeField: 'a b' }, /^nodeField: /],
    [{ url: 'store' }, /^url: is no http address/],
  ] as const) {
    const parsed = parseElasticsearchSettings({ ...least, ...written });
    assert.match((!parsed.ok && parsed.problems[0]) || '', expected);
  }
});

const filtered = { filterField: 'message.whole', unfilteredLines: 0 };
const cover = { kernel: ['nvrm: xid'] };

async function readFiltered(
  pushed: readonly LoggedLine[],
  nodes: readonly string[],
  settings: Readonly<Record<string, unknown>>,
) {
  const server = await startFakeElasticsearch();
  await pushToElasticsearch(server.url, 'a', pushed);
  const source = elasticsearchSource(server.url, { terms: { cluster: 'a' }, epilog: false, ...settings });
  try {
    return await collectLines(source, planFor(nodes, window, { cover: { ...cover, job: ['traceback'] } }));
  } finally {
    await source.close?.();
    await server.close();
  }
}

test('a field without the message proves nothing of any node or job, though the server filters by another', async () => {
  const job: LoggedLine = { ...kernelLine('node-01', 'step 1'), origin: 'job', job: '4711', file: 'out' };
  const { coverage } = await readFiltered([...lines, job], ['node-01'], {
    ...filtered,
    unfilteredJobLines: 0,
    messageField: 'log',
  });
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'failed' });
  assert.deepEqual(statusesOf(coverage, 'job'), { '': 'failed' });
  for (const { groups } of coverage) assert.match(groups[0]?.reason ?? '', /messageField \(log\)/);
});

test('a node whose documents have the message elsewhere proves nothing, the others are complete', async () => {
  const odd = { ...kernelLine('node-02', 'step 1'), line: undefined };
  const { coverage } = await readFiltered([...lines, odd as never], ['node-01', 'node-02'], {
    ...filtered,
    job: false,
  });
  assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete', 'node-02': 'failed' });
});

test('what the field to filter by does not hold is read, whatever it says', async () => {
  const long = kernelLine('node-01', `NVRM: Xid (PCI:0000:9b:00): 79 ${'x'.repeat(9000)}`);
  const { lines: got } = await readFiltered([...lines, long], ['node-01'], { ...filtered, job: false });
  assert.deepEqual(
    got.map(({ text }) => text),
    [long.line],
  );
  const wrong = await readFiltered([...lines, long], ['node-01'], {
    ...filtered,
    filterField: 'msg.whole',
    job: false,
  });
  assert.equal(wrong.lines.length, lines.length + 1);
  assert.deepEqual(statusesOf(wrong.coverage, 'kernel'), { 'node-01': 'complete' });
});

function kernelLine(node: string, line: string): LoggedLine {
  return { origin: 'kernel', node, nanos: from + second, line };
}

test('doctor tells a field that has no message', async () => {
  const server = await startFakeElasticsearch();
  const nanos = machineClock.now() - minute;
  await pushToElasticsearch(server.url, 'a', [{ ...kernelLine('node-01', 'step 1'), nanos }]);
  const verdictsOf = async (messageField: string) => {
    const source = elasticsearchSource(server.url, { terms: { cluster: 'a' }, ...filtered, messageField });
    const checks = (await source.examine?.({ metrics: [] }, new AbortController().signal)) ?? [];
    await source.close?.();
    return checks.filter(({ verdict }) => verdict === 'fail');
  };
  const wrong = await verdictsOf('log');
  const right = await verdictsOf('message');
  await server.close();
  assert.deepEqual(right, []);
  assert.match(wrong[0]?.says ?? '', /^kernel logs: no line holds text/);
  assert.match(wrong[0]?.remedy[0] ?? '', /messageField \(log\)/);
});
