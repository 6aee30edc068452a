import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Episode,
  HistoryFilter,
  HistoryPlace,
  HistoryQuery,
  HistoryRow,
  HistoryStore,
} from '../../src/core/history.ts';
import { minute } from '../../src/core/time.ts';
import type { HistoryLimits } from '../../src/history/history-limits.ts';
import { defaultHistoryLimits } from '../../src/history/history-limits.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

interface HistoryUnderTest {
  readonly store: HistoryStore;
  close(): Promise<void>;
}

export type OpenHistory = (clock: FakeClock, limits: HistoryLimits) => Promise<HistoryUnderTest>;

export const episodeOf = (workflowId: string, attemptIndex = 0): Episode => ({
  cluster: 'unknown',
  workloadId: `job-${workflowId}-${attemptIndex}`,
  workflowId,
  attemptIndex,
});

export function historyRow(episode: Episode, change: Partial<HistoryRow> = {}): HistoryRow {
  return {
    ...episode,
    node: 'node-01',
    uuid: null,
    pci: '0000:b3:00',
    symptom: 'gpu-page-fault',
    code: 'xid-31',
    title: 'GPU memory page fault',
    strength: 'S4',
    alike: 1,
    finding: null,
    at: 1_788_955_200_000_000_000n,
    ...change,
  };
}

const everything: HistoryQuery = {
  cluster: null,
  nodes: null,
  uuids: [],
  from: 0n,
  to: 1_800_000_000_000_000_000n,
  limit: 100,
};

const unnarrowed: HistoryFilter = {
  workloadId: null,
  workflowId: null,
  device: null,
  named: false,
  after: null,
};

const dayMs = 24 * 3600 * 1000;

/** What every history promises; run from each store's own test file. */
export function historyStoreSuite(name: string, open: OpenHistory): void {
  function check(
    claim: string,
    run: (store: HistoryStore, clock: FakeClock) => Promise<void>,
    limits: HistoryLimits = defaultHistoryLimits,
  ): void {
    test(`${name}: ${claim}`, async () => {
      const clock = fakeClock();
      const opened = await open(clock, limits);
      try {
        await run(opened.store, clock);
      } finally {
        await opened.close();
      }
    });
  }

  check('rows come back as they were recorded, newest first', async store => {
    const [a, b] = [episodeOf('a'), episodeOf('b')];
    const rows = [
      historyRow(a, { at: 1_788_955_100_000_000_001n, finding: 'accelerator_gpu' }),
      historyRow(b, { uuid: 'GPU-1', code: null, strength: null }),
      historyRow(b, { node: 'node-02', pci: null }),
    ] as const;
    await store.record(a, [rows[0]]);
    await store.record(b, [rows[2], rows[1]]);
    assert.deepEqual(await store.find(everything), [rows[1], rows[2], rows[0]]);
  });

  check('times beyond all that can be stored leave nothing out', async store => {
    const episode = episodeOf('a');
    await store.record(episode, [historyRow(episode)]);
    assert.equal((await store.find({ ...everything, from: -(2n ** 70n), to: 2n ** 70n })).length, 1);
    assert.equal((await store.find({ ...everything, from: 2n ** 70n, to: 2n ** 71n })).length, 0);
  });

  check('an episode counts once: what is recorded later replaces it', async store => {
    const episode = episodeOf('a');
    await store.record(episode, [historyRow(episode), historyRow(episode, { node: 'node-02' })]);
    const later = historyRow(episode, { symptom: 'gpu-fallen-off-bus', strength: 'S1' });
    await store.record(episode, [later]);
    await store.record(episode, [later]);
    assert.deepEqual(await store.find(everything), [later]);
    await store.record(episode, []);
    assert.deepEqual(await store.find(everything), []);
  });

  check('what is added joins what is known: the stronger stays, and what is explained goes', async store => {
    const episode = episodeOf('a');
    const row = (node: string, change: Partial<HistoryRow> = {}) => historyRow(episode, { node, ...change });
    const named = { finding: 'accelerator_gpu', strength: null, symptom: 'named' } as const;
    const strong = { strength: 'S1', symptom: 'gpu-fallen-off-bus' } as const;
    await store.record(episode, [
      row('node-01', named),
      row('node-02', strong),
      row('node-03'),
      row('node-04'),
      row('node-05', { uuid: 'GPU-1' }),
      row('node-06'),
    ]);
    const explained = { device: '0000:b3:00', symptom: 'gpu-page-fault' };
    await store.add(
      episode,
      [
        row('node-01', strong),
        row('node-02'),
        row('node-03', strong),
        row('node-06', { title: 'told anew' }),
        row('node-07'),
      ],
      [
        { ...explained, node: 'node-04' },
        { ...explained, node: 'node-05' },
        { ...explained, node: 'node-06', symptom: 'another' },
      ],
    );
    assert.deepEqual(await store.find(everything), [
      row('node-01', named),
      row('node-02', strong),
      row('node-03', strong),
      row('node-05', { uuid: 'GPU-1' }),
      row('node-06', { title: 'told anew' }),
      row('node-07'),
    ]);
    await store.add(episode, [], [{ ...explained, node: 'node-05', device: 'GPU-1' }]);
    assert.equal((await store.find(everything)).length, 5);
  });

  check('an episode that is added to grows old as one, and never beyond 2,000 rows', async (store, clock) => {
    const episode = episodeOf('a');
    await store.record(episode, [historyRow(episode, { node: 'first' })]);
    await clock.advance(8 * dayMs);
    await store.add(episode, [historyRow(episode)], []);
    await clock.advance(8 * dayMs);
    assert.equal((await store.find(everything)).length, 2);
    const many = Array.from({ length: 1_999 }, (_, at) => historyRow(episode, { node: `node-${1000 + at}` }));
    await store.add(episode, many, []);
    assert.equal((await store.find({ ...everything, limit: 5_000 })).length, 2_000);
  });

  check('attempts, workloads and clusters are episodes of their own', async store => {
    const episodes = [
      episodeOf('a'),
      episodeOf('a', 1),
      { ...episodeOf('a'), workloadId: 'other' },
      { ...episodeOf('a'), cluster: 'east' },
    ];
    for (const episode of episodes) await store.record(episode, [historyRow(episode)]);
    assert.equal((await store.find(everything)).length, 4);
  });

  check('a device has one row, known by UUID or else by its address', async store => {
    const episode = episodeOf('a');
    const rows = [
      historyRow(episode, { uuid: 'GPU-1', pci: '0000:b3:00' }),
      historyRow(episode, { uuid: 'GPU-1', pci: null }),
      historyRow(episode, { uuid: null, pci: '0000:b3:00' }),
      historyRow(episode, { uuid: null, pci: null }),
    ];
    await store.record(episode, rows);
    assert.equal((await store.find(everything)).length, 3);
  });

  check('rows are found by node and cluster, or by GPU wherever it sits now', async store => {
    const [here, there, moved] = [episodeOf('a'), { ...episodeOf('b'), cluster: 'east' }, episodeOf('c')];
    await store.record(here, [historyRow(here)]);
    await store.record(there, [historyRow(there)]);
    await store.record(moved, [historyRow(moved, { node: 'node-09', uuid: 'GPU-1' })]);
    const find = async (change: Partial<HistoryQuery>): Promise<readonly string[]> =>
      (await store.find({ ...everything, ...change })).map(({ workflowId }) => workflowId).toSorted();
    assert.deepEqual(await find({ nodes: ['node-01'], cluster: 'unknown' }), ['a']);
    assert.deepEqual(await find({ nodes: ['node-01'] }), ['a', 'b']);
    assert.deepEqual(await find({ nodes: ['node-01'], cluster: 'unknown', uuids: ['GPU-1'] }), ['a', 'c']);
    assert.deepEqual(await find({ nodes: [], uuids: ['GPU-2'] }), []);
    assert.deepEqual(await find({ nodes: ["x' OR 1=1 --", '"'] }), []);
  });

  check('only rows from the start of a span and before its end are found, up to a limit', async store => {
    for (const second of [1n, 2n, 3n, 4n]) {
      const episode = episodeOf(String(second));
      await store.record(episode, [historyRow(episode, { at: second })]);
    }
    const found = await store.find({ ...everything, from: 2n, to: 4n });
    assert.deepEqual(
      found.map(({ at }) => at),
      [3n, 2n],
    );
    assert.deepEqual(
      (await store.find({ ...everything, limit: 1 })).map(({ at }) => at),
      [4n],
    );
  });

  check('rows are narrowed by workload, workflow, device and whether they were named', async store => {
    const [a, b] = [episodeOf('a'), episodeOf('b')];
    await store.record(a, [historyRow(a, { uuid: 'GPU-1' }), historyRow(a, { node: 'node-02', pci: null })]);
    await store.record(b, [historyRow(b, { finding: 'accelerator_gpu' })]);
    const find = async (change: Partial<HistoryFilter>): Promise<readonly string[]> =>
      (await store.find({ ...everything, only: { ...unnarrowed, ...change } })).map(
        ({ workflowId, node }) => `${workflowId} ${node}`,
      );
    assert.deepEqual(await find({}), ['b node-01', 'a node-01', 'a node-02']);
    assert.deepEqual(await find({ workloadId: 'job-b-0' }), ['b node-01']);
    assert.deepEqual(await find({ workflowId: 'a' }), ['a node-01', 'a node-02']);
    assert.deepEqual(await find({ device: 'GPU-1' }), ['a node-01']);
    assert.deepEqual(await find({ device: '0000:b3:00' }), ['b node-01', 'a node-01']);
    assert.deepEqual(await find({ named: true }), ['b node-01']);
    assert.deepEqual(await find({ workflowId: 'a', named: true }), []);
  });

  check('pages follow one another without a gap, whatever rows share', async store => {
    for (const workflow of ['b', 'a', 'c']) {
      for (const attempt of [1, 0]) {
        const episode = episodeOf(workflow, attempt);
        const later = workflow === 'c' ? { at: 1_788_955_200_000_000_001n } : {};
        await store.record(episode, [historyRow(episode, later), historyRow(episode, { pci: null })]);
      }
    }
    const all = await store.find(everything);
    assert.equal(all.length, 12);
    const paged: HistoryRow[] = [];
    for (let after: HistoryPlace | null = null; paged.length < 12; ) {
      const page: readonly HistoryRow[] = await store.find({
        ...everything,
        limit: 5,
        only: { ...unnarrowed, after },
      });
      paged.push(...page);
      const last = page.at(-1);
      assert.ok(last !== undefined);
      after = { ...last, device: last.uuid ?? last.pci ?? '' };
    }
    assert.deepEqual(paged, all);
  });

  check('of one episode recorded twice at once, the rows of one stand, all of them', async store => {
    const episode = episodeOf('a');
    const nodesOf = (prefix: string) => ['1', '2', '3'].map(at => `${prefix}-${at}`);
    await Promise.all(
      ['first', 'second', 'third'].map(prefix =>
        store.record(
          episode,
          nodesOf(prefix).map(node => historyRow(episode, { node })),
        ),
      ),
    );
    const found = (await store.find(everything)).map(({ node }) => node);
    const [prefix = ''] = found[0]?.split('-') ?? [];
    assert.deepEqual(found, nodesOf(prefix));
  });

  check('texts of any kind and length come back, and are found', async store => {
    const odd = `\u0000 \u0001 \u00010 {"a", NULL} \\ ' ${'x'.repeat(10_000)}`;
    const episode = { ...episodeOf(odd), cluster: odd };
    const row = historyRow(episode, { node: odd, uuid: odd, title: odd });
    await store.record(episode, [row]);
    assert.deepEqual(await store.find({ ...everything, nodes: [odd], cluster: odd }), [row]);
    assert.deepEqual(await store.find({ ...everything, nodes: [], uuids: [odd] }), [row]);
    assert.deepEqual(await store.find({ ...everything, nodes: [`${odd}x`] }), []);
  });

  check('rows are forgotten after 14 days', async (store, clock) => {
    const episode = episodeOf('a');
    await store.record(episode, [historyRow(episode)]);
    await clock.advance(14 * dayMs - 1);
    assert.equal((await store.find(everything)).length, 1);
    await clock.advance(1);
    assert.equal((await store.find(everything)).length, 0);
  });

  check(
    'beyond the size limit the oldest are forgotten',
    async (store, clock) => {
      for (const name of ['a', 'b', 'c', 'd']) {
        const episode = episodeOf(name);
        await store.record(episode, [historyRow(episode)]);
        await clock.advance(60_000);
      }
      const found = await store.find(everything);
      assert.deepEqual(found.map(({ workflowId }) => workflowId).toSorted(), ['b', 'c', 'd']);
    },
    { keptNanos: 14n * 24n * 60n * minute, rows: 3 },
  );
}

/** What stores of two replicas over one database promise. */
export function historyReplicasSuite(
  name: string,
  openBoth: (clock: FakeClock) => Promise<{ readonly stores: readonly HistoryStore[]; close(): Promise<void> }>,
): void {
  test(`${name}: replicas that add to one episode at once lose nothing of each other`, async () => {
    const { stores, close } = await openBoth(fakeClock());
    try {
      const episode = episodeOf('a');
      const added = 20;
      const additions = Array.from({ length: added }, (_, at) =>
        stores.map((store, replica) => {
          const own = historyRow(episode, { node: `node-${replica}-${at}` });
          const shared = historyRow(episode, { strength: at === 3 && replica === 1 ? 'S1' : 'S4' });
          return store.add(episode, [own, shared], []);
        }),
      );
      await Promise.all(additions.flat());
      for (const store of stores) {
        const found = await store.find(everything);
        assert.equal(found.length, stores.length * added + 1);
        assert.equal(found.find(({ node }) => node === 'node-01')?.strength, 'S1');
      }
    } finally {
      await close();
    }
  });
}
