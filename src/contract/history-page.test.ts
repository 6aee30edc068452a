import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHistoryAsked, renderHistoryPage } from './history-page.ts';
import type { HistoryFields } from './history-wire.ts';

const row: HistoryFields = {
  cluster: 'east',
  workloadId: '12345',
  workflowId: 'training-a',
  attemptIndex: 2,
  node: 'node-01',
  uuid: null,
  pci: '0000:b3:00',
  symptom: 'gpu-page-fault',
  code: 'xid-31',
  title: 'GPU memory page fault',
  strength: 'S4',
  alike: 1,
  finding: null,
  at: 1_788_955_200_000_000_007n,
};

const ask = (query: string) => readHistoryAsked(new URLSearchParams(query));

test('nothing asked is everything, a hundred rows a page', () => {
  assert.deepEqual(ask(''), {
    ok: true,
    asked: {
      cluster: null,
      device: null,
      workloadId: null,
      workflowId: null,
      nodes: null,
      since: null,
      until: null,
      named: false,
      limit: 100,
      after: null,
    },
  });
});

test('each filter is read, nodes as often as they are given', () => {
  const read = ask(
    'node=node-01&node=node-02&device=GPU-1&workload_id=7&workflow_id=w&cluster=c&named=true&limit=5' +
      '&since=2026-09-09T12:00:00Z&until=2026-09-09T14:00:00%2B01:00',
  );
  assert.ok(read.ok);
  assert.deepEqual(read.asked, {
    cluster: 'c',
    device: 'GPU-1',
    workloadId: '7',
    workflowId: 'w',
    nodes: ['node-01', 'node-02'],
    since: 1_788_955_200_000_000_000n,
    until: 1_788_958_800_000_000_000n,
    named: true,
    limit: 5,
    after: null,
  });
});

for (const [query, says] of [
  ['nodes=node-01', /"nodes" is no parameter; there are .*node/],
  ['since=2026-09-09T12:00:00', /"since" must be a datetime with its offset/],
  ['until=yesterday', /"until" must be a datetime/],
  ['limit=0', /"limit" must be a whole number from 1 to 1000/],
  ['limit=1001', /"limit"/],
  ['named=yes', /"named" must be true or false/],
  ['named=true&named=false', /"named" may be given once/],
  ['node=', /"node" is empty/],
  ['cursor=abc', /"cursor" must be the next_cursor/],
] as const) {
  test(`${query} is refused with the name of what is wrong`, () => {
    const read = ask(query);
    assert.ok(!read.ok);
    assert.match(read.says, says);
  });
}

test('the cursor of a page names the place of its last row, and only where there is more', () => {
  const page = JSON.parse(renderHistoryPage([row], true)) as { next_cursor: string; rows: unknown[] };
  assert.equal(page.rows.length, 1);
  const read = ask(`cursor=${page.next_cursor}`);
  assert.ok(read.ok);
  assert.deepEqual(read.asked.after, {
    at: row.at,
    node: 'node-01',
    device: '0000:b3:00',
    cluster: 'east',
    workloadId: '12345',
    workflowId: 'training-a',
    attemptIndex: 2,
  });
  assert.equal((JSON.parse(renderHistoryPage([row], false)) as { next_cursor: null }).next_cursor, null);
});

test('no cursor breaks it, also one made of a real one', () => {
  const { next_cursor: real } = JSON.parse(renderHistoryPage([row], true)) as { next_cursor: string };
  const cursors = fc.oneof(
    fc.string(),
    fc.jsonValue().map(value => Buffer.from(JSON.stringify(value)).toString('base64url')),
    fc
      .tuple(fc.nat(real.length - 1), fc.constantFrom('A', '_', '9', ''))
      .map(([at, letter]) => real.slice(0, at) + letter + real.slice(at + 1)),
  );
  fc.assert(
    fc.property(cursors, cursor => {
      const read = readHistoryAsked(new URLSearchParams({ cursor }));
      if (!read.ok) return;
      const { after } = read.asked;
      assert.ok(after !== null && after.at < 2n ** 63n && Number.isSafeInteger(after.attemptIndex));
    }),
  );
});
