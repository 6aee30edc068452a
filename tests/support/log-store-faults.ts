import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Source } from '../../src/core/ports.ts';
import { minute, second } from '../../src/core/time.ts';
import type { FakeServer, FakeServerOptions, TransportFault } from './fakes/fake-server.ts';
import { transportFaults } from './fakes/fake-server.ts';
import { type Collected, collectLines, planFor, statusesOf } from './log-lines.ts';
import type { LoggedLine } from './log-store-suite.ts';

/** A kind of store as the matrix of faults needs it. */
export interface FaultyStore<ContentFault extends string> {
  readonly kind: string;
  readonly contentFaults: readonly ContentFault[];
  /** Paths by which lines themselves are read, as against what is known of them; null where they are the same. */
  readonly pagePaths: RegExp | null;
  start(options: FakeServerOptions & { readonly content?: ContentFault | null }): Promise<FakeServer>;
  push(url: string, cluster: string, lines: readonly LoggedLine[]): Promise<void>;
  source(url: string, settings: Readonly<Record<string, unknown>>): Source;
  /** What makes a source read one cluster. */
  settings(cluster: string): Readonly<Record<string, unknown>>;
}

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const nodes = ['node-01', 'node-02'];
const lines: readonly LoggedLine[] = nodes.flatMap(node =>
  Array.from({ length: 20 }, (_, index) => ({
    origin: 'kernel' as const,
    node,
    nanos: from + minute + BigInt(index) * second,
    line: `usb 1-${index}: new device`,
  })),
);
const job: LoggedLine = {
  origin: 'job',
  node: 'login-01',
  job: '4711',
  file: '/logs/4711.out',
  nanos: from + minute,
  line: 'epoch 1',
};
const small = {
  retries: 0,
  answerBytes: 256 * 1024,
  expandedBytes: 256 * 1024,
  breakerFailures: 1000,
};
/** Beyond this much after the deadline an answer is late. */
const slackMs = 2000;

/** Statuses that a fault may end in; none of them says that anything was read. */
function expectedStatus(fault: TransportFault): string {
  return fault === 'one byte a second' ? 'timed_out' : 'failed';
}

/** Crosses one kind of store with every fault: right coverage, no throw, no late answer. */
export function testFaults<ContentFault extends string>(store: FaultyStore<ContentFault>): void {
  const run = async (
    options: FakeServerOptions & { readonly content?: ContentFault | null },
    fault: TransportFault | null,
    settings: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Collected> => {
    const server = await store.start({ floodBytes: 10 * small.answerBytes, ...options });
    if (options.fault == null) await store.push(server.url, 'a', [...lines, job]);
    if (fault !== null) await server.breakDown(fault);
    const timeoutMs = fault === 'one byte a second' ? 500 : 60_000;
    const source = store.source(server.url, { ...store.settings('a'), ...small, timeoutMs, ...settings });
    try {
      return await collectLines(source, planFor([...nodes, 'node-03'], window), signal);
    } finally {
      await source.close?.();
      await server.close();
    }
  };

  for (const fault of transportFaults) {
    test(`${store.kind}, ${fault}: nothing is read, and coverage says why`, async () => {
      const atStart = fault === 'expired certificate';
      const { lines: read, coverage } = await run(atStart ? { fault } : {}, atStart ? null : fault);
      assert.deepEqual(read, []);
      const status = expectedStatus(fault);
      assert.deepEqual(statusesOf(coverage, 'kernel'), {
        'node-01': status,
        'node-02': status,
        'node-03': status,
      });
      assert.deepEqual(statusesOf(coverage, 'job'), { '': status });
      for (const { groups } of coverage) {
        assert.ok(groups.every(({ reason }) => reason !== null && !reason.includes('127.0.0')));
      }
    });

    const { pagePaths } = store;
    if (pagePaths === null || fault === 'refused' || fault === 'expired certificate') continue;
    test(`${store.kind}, ${fault} where lines are read: no node is complete`, async () => {
      const { lines: read, coverage } = await run({ faultOn: pagePaths }, fault);
      assert.deepEqual(read, []);
      assert.deepEqual(statusesOf(coverage, 'kernel'), {
        'node-01': expectedStatus(fault),
        'node-02': expectedStatus(fault),
        'node-03': 'absent',
      });
      assert.deepEqual(statusesOf(coverage, 'job'), { '': expectedStatus(fault) });
    });
  }

  for (const content of store.contentFaults) {
    test(`${store.kind}, ${content}: no line is made up, and none is complete without lines`, async () => {
      const { lines: read, coverage } = await run({ content }, null);
      const known = new Set([...lines, job].map(({ line }) => line));
      assert.ok(read.every(({ text }) => known.has(text)));
      assert.ok(read.every(({ stamp }) => stamp !== null && stamp >= window.from && stamp < window.to));
      const statuses = statusesOf(coverage, 'kernel');
      const whole = ['clock five minutes off', 'duplicate streams', 'out-of-order page'].includes(content);
      for (const node of nodes) {
        const own = read.filter(({ header }) => header.origin === 'kernel' && header.node === node);
        assert.equal(own.length, whole ? 20 : 0);
        assert.equal(statuses[node] === 'complete', whole, statuses[node]);
        assert.ok(own.every(({ stamp }, index) => (stamp ?? 0n) >= (own[index - 1]?.stamp ?? 0n)));
      }
      assert.notEqual(statuses['node-03'], 'complete');
    });
  }

  test(`${store.kind}: what is not answered by the deadline is timed out, and not waited for`, async () => {
    const began = performance.now();
    const patient = { timeoutMs: 60_000 };
    const { coverage } = await run({}, 'one byte a second', patient, AbortSignal.timeout(200));
    assert.ok(performance.now() - began < 200 + slackMs);
    assert.deepEqual(new Set(Object.values(statusesOf(coverage, 'kernel'))), new Set(['timed_out']));
    assert.deepEqual(statusesOf(coverage, 'job'), { '': 'timed_out' });
  });

  test(`${store.kind}: what the caps leave out makes a node truncated`, async () => {
    const { coverage } = await run({}, null, { mostLines: 5, pageLines: 5 });
    const { 'node-01': first, 'node-02': second } = statusesOf(coverage, 'kernel');
    assert.deepEqual([first, second], ['truncated', 'truncated']);
  });
}
