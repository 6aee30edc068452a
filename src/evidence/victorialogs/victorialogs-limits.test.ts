import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FakeVictoriaLogsOptions,
  startFakeVictoriaLogs,
} from '../../../tests/support/fakes/victorialogs.ts';
import {
  pushToVictoriaLogs,
  victoriaLogsSource,
} from '../../../tests/support/fakes/victorialogs-under-test.ts';
import { collectLines, planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import type { LoggedLine } from '../../../tests/support/log-store-suite.ts';
import type { CollectPlan } from '../../core/ports.ts';
import { minute, second } from '../../core/time.ts';
import { parseVictoriaLogsSettings } from './settings.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const many = Array.from({ length: 60 }, (_, index) => `node-${String(index + 1).padStart(3, '0')}`);
const oneEach: readonly LoggedLine[] = many.map(node => ({
  origin: 'kernel',
  node,
  nanos: from + second,
  line: 'usb 1-1: new device',
}));

async function read(
  options: FakeVictoriaLogsOptions,
  lines: readonly LoggedLine[],
  plan: CollectPlan,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const server = await startFakeVictoriaLogs(options);
  await pushToVictoriaLogs(server.url, 'a', lines);
  const source = victoriaLogsSource(server.url, {
    matchers: '{cluster="a"}',
    job: false,
    epilog: false,
    ...settings,
  });
  try {
    return { ...(await collectLines(source, plan)), requests: server.requests.slice(2) };
  } finally {
    await source.close?.();
    await server.close();
  }
}

test('nodes are named in as many queries as their length allows', async () => {
  const { coverage, lines, requests } = await read({ queryBytes: 700 }, oneEach, planFor(many, window), {
    queryBytes: 700,
    nodeShare: 1,
    mostQueries: 100,
  });
  assert.deepEqual(statusesOf(coverage, 'kernel'), Object.fromEntries(many.map(node => [node, 'complete'])));
  assert.equal(lines.length, 60);
  const longest = Math.max(...requests.map(({ parameters }) => (parameters.get('query') ?? '').length));
  assert.ok(longest <= 700);
});

test('a query that the server finds too long is asked for in halves', async () => {
  const { coverage } = await read({ queryBytes: 500 }, oneEach, planFor(many, window));
  assert.deepEqual(statusesOf(coverage, 'kernel'), Object.fromEntries(many.map(node => [node, 'complete'])));
});

test('a window that the server finds too long is read in parts', async () => {
  const refuse = (query: string): string | null => {
    const [start = '', end = ''] = /_time:\[(\S+), (\S+)\)/.exec(query)?.slice(1) ?? [];
    const long = Date.parse(end) - Date.parse(start) > 5 * 60_000;
    return long ? 'too big time range selected: it cannot exceed -search.maxQueryTimeRange=5m' : null;
  };
  const plan = planFor(many, window);
  const { coverage, lines } = await read({ refuse }, oneEach, plan, { knownHours: 0.1 });
  assert.deepEqual(statusesOf(coverage, 'kernel'), Object.fromEntries(many.map(node => [node, 'complete'])));
  assert.equal(lines.length, 60);
});

test('a page of one stamp alone is asked for again with a higher limit', async () => {
  const burst = Array.from(
    { length: 300 },
    (_, index): LoggedLine => ({
      origin: 'kernel',
      node: 'node-001',
      nanos: from + second,
      line: `line ${index}`,
    }),
  );
  const few = await read({}, burst, planFor(['node-001'], window), { pageLines: 100 });
  assert.equal(few.lines.length, 300);
  assert.deepEqual(statusesOf(few.coverage, 'kernel'), { 'node-001': 'complete' });
  const cut = await read({}, burst, planFor(['node-001'], window), { pageLines: 10 });
  assert.deepEqual(statusesOf(cut.coverage, 'kernel'), { 'node-001': 'truncated' });
});

test('a tenant is sent as headers, and mistakes name place and remedy', async () => {
  const least = { name: 'logs', kind: 'victorialogs', url: 'http://127.0.0.1:9428' };
  const parsed = parseVictoriaLogsSettings({ ...least, accountId: 12, projectId: 3 });
  assert.deepEqual(parsed.ok && parsed.settings.http.headers, [
    ['AccountID', { kind: 'inline', value: '12' }],
    ['ProjectID', { kind: 'inline', value: '3' }],
  ]);
  for (const [written, expected] of [
    [{ kernel: { selector: 'job=kernel' } }, /^kernel\.selector: cannot be read/],
    [{ accountId: -1 }, /^accountId: /],
    [{ nodeField: 'ho st' }, /^nodeField: /],
    [{ url: 'logs' }, /^url: is no http address/],
  ] as const) {
    const wrong = parseVictoriaLogsSettings({ ...least, ...written });
    assert.match((!wrong.ok && wrong.problems[0]) || '', expected);
  }
});

test('lines without text prove nothing of their node, whether the server filters or not', async () => {
  const [first = '', other = '', third = ''] = many;
  const lines: readonly LoggedLine[] = [
    ...[0n, 1n].map(index => ({ origin: 'kernel' as const, node: first, nanos: from + index, line: '' })),
    {
      origin: 'kernel',
      node: other,
      nanos: from,
      line: 'missing _msg field; see https://docs.example/#message-field',
    },
    { origin: 'kernel', node: third, nanos: from, line: '' },
    { origin: 'kernel', node: third, nanos: from + 1n, line: 'usb 1-1: new device' },
  ];
  for (const unfilteredLines of [0, 1000]) {
    const plan = planFor([first, other, third], window, { cover: { kernel: ['xid'] } });
    const { coverage } = await read({}, lines, plan, { unfilteredLines });
    assert.deepEqual(statusesOf(coverage, 'kernel'), {
      [first]: 'failed',
      [other]: 'failed',
      [third]: 'complete',
    });
    const reasons = coverage.flatMap(({ groups }) => groups.map(({ reason }) => reason ?? ''));
    assert.ok(reasons.some(reason => reason.includes('_msg_field')));
  }
});
