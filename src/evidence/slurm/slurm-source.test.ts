import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TransportFault, transportFaults } from '../../../tests/support/fakes/fake-server.ts';
import {
  type FakeSlurm,
  type FakeSlurmOptions,
  type SlurmContentFault,
  slurmContentFaults,
  startFakeSlurmrestd,
} from '../../../tests/support/fakes/slurmrestd.ts';
import { machineClock, planFor, statusesOf } from '../../../tests/support/log-lines.ts';
import { sampleRequest } from '../../../tests/support/sample-request.ts';
import { silentLog } from '../../../tests/support/silent-log.ts';
import { type CollectedStates, collectStates, shownRow, valuesOf } from '../../../tests/support/state-rows.ts';
import type { CollectPlan, Source } from '../../core/ports.ts';
import { minute, second } from '../../core/time.ts';
import { parseSlurmSettings } from './settings.ts';
import { createSlurmSource } from './slurm-source.ts';

/** 2026-12-01T12:00:00Z */
const noon = 1_796_126_400;
const window = { from: BigInt(noon) * second - 15n * minute, to: BigInt(noon) * second + 2n * minute };

const slurm: FakeSlurm = {
  versions: [41],
  jobs: [
    {
      id: 42,
      state: 'NODE_FAIL',
      reason: 'NodeDown',
      nodes: 'node-[01-02]',
      failedNode: 'node-02',
      code: 0,
      signal: 15,
      start: noon - 3600,
      end: noon,
      gres: ['gpu:h100:8(IDX:0-7)', 'gpu:h100:8(IDX:0-7)'],
      steps: [
        {
          id: 'batch',
          state: 'CANCELLED',
          nodes: 'node-01',
          code: 0,
          signal: 15,
          start: noon - 3600,
          end: noon + 3,
        },
        {
          id: '0',
          state: 'FAILED',
          nodes: 'node-[01-02]',
          code: 3,
          signal: 0,
          start: noon - 3590,
          end: noon - 1,
        },
      ],
    },
    { id: 50, array: { id: 49, task: 1 }, ...ended('FAILED', 'node-01', 1) },
    { id: 49, array: { id: 49, task: 2 }, ...ended('COMPLETED', 'node-02', 0) },
    { id: 60, het: { id: 60, offset: 0 }, ...ended('FAILED', 'node-01', 1) },
    { id: 61, het: { id: 60, offset: 1 }, ...ended('COMPLETED', 'node-02', 0) },
  ],
  nodes: [
    {
      name: 'node-01',
      address: '10.1.0.1',
      state: ['IDLE', 'DRAIN'],
      reason: 'NHC: check_ib',
      reasonAt: noon + 60,
      boot: noon - 86_400,
    },
    {
      name: 'node-02',
      address: '10.1.0.2',
      state: ['DOWN', 'MAINTENANCE', 'RESERVED', 'NOT_RESPONDING'],
      reason: 'Not responding',
      reasonAt: noon,
      boot: noon - 86_400,
    },
  ],
  maintenance: [
    { name: 'upkeep', nodes: 'node-[02-03]', start: noon + 90, end: noon + 7200 },
    { name: 'later', nodes: 'node-01', start: noon + 86_400, end: noon + 90_000 },
    { name: 'course', nodes: 'node-01', start: noon - 60, end: noon + 7200, flags: ['FLEX'] },
  ],
};

function ended(state: string, nodes: string, code: number) {
  return { state, reason: 'None', nodes, code, signal: 0, start: noon - 60, end: noon, steps: [] };
}

function open(url: string, more: Readonly<Record<string, unknown>> = {}): Source {
  const parsed = parseSlurmSettings({
    name: 'slurm',
    kind: 'slurm',
    url,
    token: 'secret',
    user: 'user1',
    ...more,
  });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createSlurmSource(parsed.settings, { clock: machineClock, log: silentLog, random: () => 0.5 });
}

function planOf(workloadId: string, nodes: readonly string[], more: Partial<CollectPlan> = {}): CollectPlan {
  const scope = { nodes, ranks: [], startTime: null, endTime: null };
  return planFor(nodes, window, { request: sampleRequest({ workloadId, scope }), ...more });
}

async function collect(
  options: Partial<FakeSlurmOptions>,
  {
    id = '42',
    nodes = ['node-01', 'node-02'],
  }: { readonly id?: string; readonly nodes?: readonly string[] } = {},
  settings: Readonly<Record<string, unknown>> = {},
  late: TransportFault | null = null,
): Promise<CollectedStates> {
  const server = await startFakeSlurmrestd({ slurm, ...options });
  if (late !== null) await server.breakDown(late);
  const source = open(server.url, settings);
  try {
    return await collectStates(source, planOf(id, nodes));
  } finally {
    await source.close?.();
    await server.close();
  }
}

const versions = [38, 39, 40, 41, 42, 43, 44, 45, 46];
for (const version of versions) {
  test(`v0.0.${version}: the same facts whatever the shapes`, async () => {
    const { rows } = await collect({ slurm: { ...slurm, versions: [version] } });
    const shown = new Set(rows.map(shownRow));
    const expected = [
      'job 42.batch node-01 state=CANCELLED 2026-12-01T12:00:03Z',
      'job 42.0 - state=FAILED 2026-12-01T11:59:59Z',
      'node node-01 node-01 state=IDLE+DRAIN 2026-12-01T12:01:00Z',
      'node node-01 node-01 reason=NHC: check_ib 2026-12-01T12:01:00Z',
      'node node-01 node-01 boot_time=2026-11-30T12:00:00 2026-11-30T12:00:00Z',
      'node node-02 node-02 state=DOWN+RESERVED+NOT_RESPONDING 2026-12-01T12:00:00Z',
      'node node-02 node-02 state=MAINT 2026-12-01T12:01:30Z',
    ];
    // The oldest accounting and controller name no failed node.
    const node = version === 38 ? '-' : 'node-02';
    expected.push(`job 42 ${node} state=NODE_FAIL 2026-12-01T12:00:00Z`);
    if (version > 38) expected.push('job 42 node-02 failed_node=node-02 2026-12-01T12:00:00Z');
    if (version > 38) expected.push('job 42.0 - exit_code=3:0 2026-12-01T11:59:59Z');
    for (const row of expected) assert.ok(shown.has(row), `${row} is missing among\n${[...shown].join('\n')}`);
    assert.deepEqual(valuesOf(rows, '42', 'exit_code'), ['0:15']);
    assert.deepEqual(valuesOf(rows, '42', 'gres_idx'), ['gpu:h100:8(IDX:0-7)', 'gpu:h100:8(IDX:0-7)']);
    assert.deepEqual(valuesOf(rows, '42', 'node_list'), ['node-[01-02]']);
  });
}

test('of several versions the newest known is spoken, or the one that the operator wants', async () => {
  const server = await startFakeSlurmrestd({ slurm: { ...slurm, versions: [40, 43, 99] } });
  const spoken = async (settings: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const source = open(server.url, settings);
    const before = server.requests.length;
    await collectStates(source, planOf('42', ['node-01']));
    await source.close?.();
    const paths = server.requests.slice(before).map(({ path }) => path);
    return [...new Set(paths.flatMap(path => /v0\.0\.\d+/.exec(path)?.[0] ?? []))];
  };
  assert.deepEqual(await spoken({}), ['v0.0.43']);
  assert.deepEqual(await spoken({ apiVersion: 'v0.0.40' }), ['v0.0.40']);
  await server.close();
  const { coverage } = await collect({}, {}, { apiVersion: 'v0.0.39' });
  assert.match(coverage.groups[0]?.reason ?? '', /does not have the version v0\.0\.39 .*it has v0\.0\.41/);
});

test('a job is placed before it is read, and one request does not ask twice', async () => {
  const server = await startFakeSlurmrestd({ slurm, token: 'secret' });
  const source = open(server.url);
  const plan = planOf('42', []);
  const located = await source.locate?.(plan.request, new AbortController().signal);
  assert.deepEqual(located?.nodes, [
    { name: 'node-01', aliases: ['10.1.0.1'] },
    { name: 'node-02', aliases: ['10.1.0.2'] },
  ]);
  assert.equal(located?.jobStart, BigInt(noon - 3600) * second);
  assert.equal(located?.jobEnd, BigInt(noon) * second);
  await collectStates(source, { ...plan, nodes: located?.nodes ?? [] });
  await source.close?.();
  await server.close();
  const asked = server.requests.map(({ path }) => path);
  assert.equal(new Set(asked).size, asked.length);
  assert.ok(
    asked.every(path => !path.endsWith('/jobs')),
    'one job, never all',
  );
});

test('tasks of an array and components of a job are told apart', async () => {
  const named = async (id: string): Promise<readonly string[]> => {
    const { rows } = await collect({}, { id });
    return [...new Set(rows.filter(row => row.entity === 'job').map(({ name }) => name))].sort();
  };
  assert.deepEqual(await named('49_1'), ['49_1']);
  assert.deepEqual(await named('49'), ['49_1', '49_2']);
  assert.deepEqual(await named('60+1'), ['60+1']);
  assert.deepEqual(await named('60'), ['60+0', '60+1']);
  assert.deepEqual(await named('42.0'), ['42', '42.0', '42.batch']);
});

test('nodes spelled with their domain are found by the name that Slurm gives them', async () => {
  const { rows, coverage } = await collect({}, { nodes: ['node-01.example', 'node-02.example'] });
  assert.deepEqual(valuesOf(rows, 'node-02', 'reason'), ['Not responding']);
  assert.deepEqual(statusesOf([coverage], 'scheduler'), {
    'node-01.example': 'complete',
    'node-02.example': 'complete',
  });
});

test('many nodes are one question', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const [first] = slurm.nodes;
  assert.ok(first !== undefined);
  const many = { ...slurm, nodes: names.map(name => ({ ...first, name })) };
  const server = await startFakeSlurmrestd({ slurm: many });
  const source = open(server.url);
  const { coverage } = await collectStates(source, planOf('42', [...names, 'n300']));
  await source.close?.();
  await server.close();
  assert.equal(server.requests.filter(({ path }) => /\/nodes?\b/.test(path)).length, 1);
  const statuses = statusesOf([coverage], 'scheduler');
  assert.equal(statuses['n0'], 'complete');
  assert.equal(statuses['n300'], 'absent');
});

test('without accounting the controller alone tells', async () => {
  const { rows, coverage } = await collect({ slurm: { ...slurm, accounting: false } });
  assert.deepEqual(valuesOf(rows, '42', 'state'), ['NODE_FAIL']);
  assert.deepEqual(coverage.remarks, []);
});

for (const fault of transportFaults) {
  test(`${fault}: nothing is read, and coverage says why`, async () => {
    const timeoutMs = fault === 'one byte a second' ? 500 : 60_000;
    const small = { timeoutMs, retries: 0, answerBytes: 256 * 1024, expandedBytes: 256 * 1024 };
    const atStart = fault === 'expired certificate';
    const options = { floodBytes: 10 * 256 * 1024, ...(atStart ? { fault } : {}) };
    const { rows, coverage } = await collect(options, {}, small, atStart ? null : fault);
    assert.deepEqual(rows, []);
    const expected = fault === 'one byte a second' ? 'timed_out' : 'failed';
    assert.deepEqual(new Set(Object.values(statusesOf([coverage], 'scheduler'))), new Set([expected]));
    const words = [...coverage.groups.map(({ reason }) => reason), ...coverage.remarks].join(' ');
    assert.ok(words.length > 0 && !words.includes('127.0.0') && !words.includes('secret'));
  });
}

/** What changes when things happened, or how often they are told, and not what is told. */
const bearable: readonly SlurmContentFault[] = [
  'clock five minutes off',
  'future stamps',
  'duplicate records',
  'records in another order',
  'errors beside records',
];

for (const content of slurmContentFaults) {
  test(`${content}: nothing is made up`, async () => {
    const { rows, coverage } = await collect({ content });
    const statuses = new Set(Object.values(statusesOf([coverage], 'scheduler')));
    if (content === 'NaN') {
      assert.ok(rows.every(row => row.entity !== 'node' || row.instant.nanos === null));
      return;
    }
    if (bearable.includes(content)) {
      const whole = await collect({});
      const told = (all: typeof rows) =>
        new Set(all.map(row => `${row.entity} ${row.name} ${row.field} ${row.node}`));
      assert.deepEqual(told(rows).difference(told(whole.rows)), new Set());
      assert.deepEqual(statuses, new Set(['complete']));
      const isPart = coverage.remarks.some(remark => remark.includes('error of Slurm (7000)'));
      assert.equal(isPart, content === 'errors beside records');
      return;
    }
    assert.ok(rows.every(row => row.entity === 'job' || row.value === 'MAINT'));
    assert.ok(!statuses.has('complete'));
  });
}

test('a daemon that is slow beyond the deadline is not waited for', async () => {
  const server = await startFakeSlurmrestd({ slurm, delayMs: 60_000 });
  const source = open(server.url);
  const { coverage } = await collectStates(source, planOf('42', ['node-01']), AbortSignal.timeout(100));
  await source.close?.();
  await server.close();
  assert.deepEqual(statusesOf([coverage], 'scheduler'), { 'node-01': 'timed_out' });
});
