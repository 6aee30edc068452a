import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FakeSlurm, startFakeSlurmrestd } from '../../../../tests/support/fakes/slurmrestd.ts';
import { shownRow } from '../../../../tests/support/state-rows.ts';
import { minute, second } from '../../../core/time.ts';
import type { LineDating } from '../../../lines/line.ts';
import { parseSavedAnswer } from './saved-answer.ts';

/** 2026-12-01T12:00:00Z */
const noon = 1_796_126_400;
const dating: LineDating = { zone: 'Asia/Tokyo', zoneAssumed: false, year: null, bootNanos: null, clock: 'f' };
const around = { from: BigInt(noon) * second - 15n * minute, to: BigInt(noon) * second + 2n * minute };
const step = {
  id: '0',
  state: 'FAILED',
  nodes: 'node-[01-02]',
  code: 3,
  signal: 0,
  start: noon - 60,
  end: noon,
};
const slurm: Omit<FakeSlurm, 'versions'> = {
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
      steps: [step],
    },
  ],
  nodes: [
    { name: 'node-01', address: '10.1.0.1', state: ['IDLE'], reason: '', reasonAt: 0, boot: noon - 86_400 },
    {
      name: 'node-02',
      address: '10.1.0.2',
      state: ['DOWN', 'NOT_RESPONDING'],
      reason: 'Not responding',
      reasonAt: noon,
      boot: noon - 86_400,
    },
  ],
  maintenance: [
    { name: 'upkeep', nodes: 'node-01', start: noon - 600, end: noon + 3600 },
    { name: 'last-year', nodes: 'node-02', start: noon - 9_000_000, end: noon - 8_000_000 },
  ],
};

/** What a server of one version answers below a path, as somebody would save it. */
async function saved(version: number, path: string): Promise<string> {
  const server = await startFakeSlurmrestd({ slurm: { ...slurm, versions: [version] } });
  try {
    return await (await fetch(`${server.url}${path.replace('V', `v0.0.${version}`)}`)).text();
  } finally {
    await server.close();
  }
}

const shown = (text: string) => parseSavedAnswer(text, dating, around)?.rows.map(shownRow) ?? [];

for (const version of [38, 39, 40, 41, 43, 46]) {
  test(`answers of v0.0.${version} that were saved tell of jobs, nodes and maintenance, in UTC`, async () => {
    const stored = shown(await saved(version, '/slurmdb/V/job/42'));
    assert.ok(stored.includes('job 42 - state=NODE_FAIL 2026-12-01T12:00:00Z') || version > 38);
    assert.ok(stored.some(row => row.startsWith('job 42.0 - state=FAILED')));
    assert.ok(stored.some(row => /^job 42 \S+ node_list=node-\[01-02\] 2026-12-01T11:00:00Z$/.test(row)));
    if (version > 38) assert.ok(stored.includes('job 42 node-02 failed_node=node-02 2026-12-01T12:00:00Z'));

    const live = shown(await saved(version, '/slurm/V/job/42'));
    assert.ok(live.some(row => /^job 42 \S+ state=NODE_FAIL 2026-12-01T12:00:00Z$/.test(row)));

    const nodes = shown(await saved(version, `/slurm/V/nodes${version > 40 ? '/' : ''}`));
    assert.ok(nodes.includes('node node-02 node-02 state=DOWN+NOT_RESPONDING 2026-12-01T12:00:00Z'));
    assert.ok(nodes.includes('node node-01 node-01 node_addr=10.1.0.1 -'));

    const upkeep = shown(await saved(version, `/slurm/V/reservations${version > 40 ? '/' : ''}`));
    assert.deepEqual(upkeep, ['node node-01 node-01 state=MAINT 2026-12-01T11:50:00Z']);
  });
}

test('a row names the line on which its record begins to speak of itself', async () => {
  const text = JSON.stringify(JSON.parse(await saved(41, '/slurm/V/nodes/')), null, 2);
  const lines = text.split('\n');
  const rows = parseSavedAnswer(text, dating, around)?.rows ?? [];
  assert.ok(rows.length > 0);
  for (const { name, line } of rows) assert.match(lines[line - 1] ?? '', new RegExp(`"name": "${name}"`));
  const jobs = JSON.stringify(JSON.parse(await saved(41, '/slurmdb/V/job/42')), null, 2);
  const [row] = parseSavedAnswer(jobs, dating, around)?.rows ?? [];
  assert.match(jobs.split('\n')[(row?.line ?? 0) - 1] ?? '', /"job_id": 42/);
});

test('other JSON, and what is broken off, is no answer', () => {
  for (const text of ['', '{', '[]', '{"jobs": 1}', '{"nodes": {}}', '{"data": []}', 'null']) {
    assert.equal(parseSavedAnswer(text, dating, null), null);
  }
  assert.deepEqual(parseSavedAnswer('{"jobs": []}', dating, null), { rows: [], unread: 0 });
  assert.deepEqual(parseSavedAnswer('{"nodes": [1, {}]}', dating, null), { rows: [], unread: 1 });
});

test('whatever the lists hold, nothing throws and every row has a line of the text', () => {
  const record = fc.record(
    {
      name: fc.anything(),
      job_id: fc.anything(),
      state: fc.anything(),
      nodes: fc.anything(),
      node_list: fc.anything(),
      flags: fc.constant(['MAINT']),
      steps: fc.array(fc.object({ maxDepth: 3 })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(record), fc.array(record), fc.array(record), (jobs, nodes, reservations) => {
      const text = JSON.stringify({ jobs, nodes, reservations }, (_, value) =>
        typeof value === 'bigint' ? null : value,
      );
      for (const { line } of parseSavedAnswer(text, dating, null)?.rows ?? []) assert.ok(line >= 1);
    }),
    { numRuns: 300 },
  );
});
