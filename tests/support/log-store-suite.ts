import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Source } from '../../src/core/ports.ts';
import { minute, second } from '../../src/core/time.ts';
import { collectLines, planFor, type ReadLine, statusesOf } from './log-lines.ts';

/** One line to be put into a store. */
export interface LoggedLine {
  readonly origin: 'kernel' | 'health' | 'job';
  readonly node: string;
  /** Job and file of job text. */
  readonly job?: string;
  readonly file?: string;
  readonly nanos: bigint;
  readonly line: string;
}

/** A running store, fake or real, and a way to read it. */
export interface StoreUnderTest {
  /** Puts lines in, so that they are found once this resolves. Everything of one `cluster` is kept apart. */
  push(cluster: string, lines: readonly LoggedLine[]): Promise<void>;
  /** A source that reads one cluster in the store. */
  source(cluster: string, settings?: Readonly<Record<string, unknown>>): Source;
  /** Stamps finer than this are not kept. */
  readonly stampNanos: bigint;
  close(): Promise<void>;
}

/** What every log store must do, the same for a fake and for the real server. */
export function testLogStore(kind: string, start: () => Promise<StoreUnderTest>): void {
  let store: StoreUnderTest;
  const run = `${Date.now()}`;
  // Real servers refuse lines that are much older or younger than now.
  const from = BigInt(Math.floor(Date.now() / 1000) - 1200) * second;
  const window = { from, to: from + 17n * minute };
  before(async () => {
    store = await start();
  });
  after(() => store.close());

  const at = (offset: bigint): bigint => from + (offset / store.stampNanos) * store.stampNanos;
  const kernel = (node: string, offset: bigint, line: string): LoggedLine => ({
    origin: 'kernel',
    node,
    nanos: at(offset),
    line,
  });

  test(`${kind}: lines arrive as they are, in order, with node, stamp and a query that finds them again`, async () => {
    const cluster = `${run}-a`;
    const texts = [
      'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
      'quote " back \\ tick ` ünï',
      '  x  ',
    ];
    const lines = texts.map((line, index) =>
      kernel('node-01.example', second + BigInt(index) * 1_000_001n, line),
    );
    await store.push(cluster, [
      ...lines,
      kernel('node-02.example', 2n * second, 'other'),
      kernel('node-01.example', -second, 'before the window'),
      kernel('node-01.example', window.to - from, 'at its end'),
    ]);
    const source = store.source(cluster);
    const read = await collectLines(source, planFor(['node-01'], window));
    await source.close?.();
    assert.deepEqual(
      read.lines.map(({ text, stamp, header }) => ({ text, stamp, node: header.node, origin: header.origin })),
      lines.map(({ line, nanos }) => ({ text: line, stamp: nanos, node: 'node-01', origin: 'kernel' })),
    );
    const [first] = read.lines;
    assert.equal(first?.header.entries?.query, first?.header.stream);
    assert.equal(first?.header.format, 'auto');
    assert.deepEqual(statusesOf(read.coverage, 'kernel'), { 'node-01': 'complete' });
  });

  test(`${kind}: a node without line in the window is silent, one that never sent any is absent`, async () => {
    const cluster = `${run}-b`;
    await store.push(cluster, [kernel('node-01', second, 'one'), kernel('node-02', -minute, 'earlier')]);
    const source = store.source(cluster);
    const { coverage } = await collectLines(source, planFor(['node-01', 'node-02', 'node-03'], window));
    await source.close?.();
    assert.deepEqual(statusesOf(coverage, 'kernel'), {
      'node-01': 'complete',
      'node-02': 'silent',
      'node-03': 'absent',
    });
  });

  test(`${kind}: a machine of another domain does not stand in for a node that is silent`, async () => {
    const cluster = `${run}-domain`;
    await store.push(cluster, [
      ...['node-01', 'node-02'].map(node => kernel(`${node}.site.example`, second, 'usb 1-1: new device')),
      kernel('node-03.other.example', second, 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.'),
    ]);
    const source = store.source(cluster);
    const { coverage, lines } = await collectLines(source, planFor(['node-01', 'node-02', 'node-03'], window));
    await source.close?.();
    assert.deepEqual(lines.map(({ header }) => header.node).sort(), ['node-01', 'node-02']);
    assert.deepEqual(statusesOf(coverage, 'kernel'), {
      'node-01': 'complete',
      'node-02': 'complete',
      'node-03': 'absent',
    });
    const { remarks = [] } = coverage.find(({ origin }) => origin === 'kernel') ?? {};
    assert.ok(remarks.some(remark => remark.includes('name the nodes in full')));
  });

  test(`${kind}: fifty thousand entries of three streams, many at one stamp: none lost, none twice`, async () => {
    const cluster = `${run}-c`;
    const nodes = ['node-01', 'node-02', 'node-03'];
    // Bursts of 900 entries, of which a third share a stamp: pages end inside them.
    const offsetOf = (index: number): bigint => {
      const burst = BigInt(Math.floor(index / 900)) * 10n * second;
      return index % 3 === 0 ? burst : burst + BigInt(index) * 1_000_000n;
    };
    const lines = Array.from({ length: 50_000 }, (_, index) =>
      kernel(nodes[index % 2 === 0 ? 0 : index % 3] ?? '', offsetOf(index), `entry ${index}`),
    );
    await store.push(cluster, lines);
    const source = store.source(cluster, { pageLines: 1000, unfilteredLines: 100_000 });
    const { lines: read, coverage } = await collectLines(source, planFor(nodes, window));
    await source.close?.();
    assert.equal(read.length, 50_000);
    const identity = (node: string | null, nanos: bigint | null, text: string) => `${node} ${nanos} ${text}`;
    const wanted = new Set(lines.map(({ node, nanos, line }) => identity(node, nanos, line)));
    const got = new Set(read.map(({ header, stamp, text }) => identity(header.node, stamp, text)));
    assert.deepEqual(got, wanted);
    assertOrdered(read);
    assert.deepEqual(Object.values(statusesOf(coverage, 'kernel')), ['complete', 'complete', 'complete']);
  });

  test(`${kind}: the text of a job is found by its id, and is job text whatever it looks like`, async () => {
    const cluster = `${run}-d`;
    const text = (job: string, file: string, line: string): LoggedLine => ({
      origin: 'job',
      node: 'login-01',
      job,
      file,
      nanos: at(3n * second),
      line,
    });
    await store.push(cluster, [
      text('4711', '/logs/4711.out', 'Nov 30 12:00:00 node-01 kernel: NVRM: Xid (PCI:0000:b3:00): 79'),
      text('4711', '/logs/4711.err', '[rank3]: Traceback (most recent call last):\n  line two'),
      text('47110', '/logs/47110.out', 'of another job'),
    ]);
    const source = store.source(cluster);
    const { lines, coverage } = await collectLines(source, planFor(['node-01'], window));
    await source.close?.();
    const found = lines.filter(({ header }) => header.origin === 'job');
    assert.deepEqual(
      found.map(line => line.text).sort(),
      [
        'Nov 30 12:00:00 node-01 kernel: NVRM: Xid (PCI:0000:b3:00): 79',
        '[rank3]: Traceback (most recent call last):',
        '  line two',
      ].sort(),
    );
    assert.ok(found.every(({ header }) => header.format === 'job' && header.node === null));
    assert.equal(new Set(found.map(({ header }) => header.stream)).size, 2);
    assert.deepEqual(statusesOf(coverage, 'job'), { '': 'complete' });
  });

  test(`${kind}: a job without a line in the store is absent`, async () => {
    const source = store.source(`${run}-e`);
    const { coverage } = await collectLines(source, planFor(['node-01'], window));
    await source.close?.();
    assert.deepEqual(statusesOf(coverage, 'job'), { '': 'absent' });
    assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'absent' });
  });

  test(`${kind}: many lines are filtered by the server, in any case, and coverage says by what`, async () => {
    const cluster = `${run}-f`;
    const lines = Array.from({ length: 300 }, (_, index) =>
      kernel(
        'node-01',
        second + BigInt(index) * 1_000_000n,
        index % 100 === 7 ? `NVRM: XID ${index}` : `usb ${index}`,
      ),
    );
    await store.push(cluster, [...lines, kernel('node-02', second, 'usb')]);
    const source = store.source(cluster, { unfilteredLines: 100 });
    const plan = planFor(['node-01', 'node-02'], window, { cover: { kernel: ['nvrm: xid', 'fallen (off)'] } });
    const { lines: read, coverage } = await collectLines(source, plan);
    await source.close?.();
    assert.deepEqual(
      read.map(({ text }) => text),
      ['NVRM: XID 7', 'NVRM: XID 107', 'NVRM: XID 207'],
    );
    const [entry] = coverage.filter(({ origin }) => origin === 'kernel');
    assert.ok(entry?.filter?.includes('nvrm'));
    assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-01': 'complete', 'node-02': 'complete' });
  });

  test(`${kind}: the epilog window is read for health checks, and nothing else`, async () => {
    const cluster = `${run}-g`;
    await store.push(cluster, [
      { origin: 'health', node: 'node-01', nanos: at(18n * minute), line: 'FAIL gpu 3' },
      kernel('node-01', second, 'one'),
    ]);
    const epilogWindow = { from: window.to, to: window.to + 2n * minute };
    const source = store.source(cluster);
    const plan = planFor(['node-01'], window, { epilogWindow, only: [] });
    const { lines, coverage } = await collectLines(source, plan);
    await source.close?.();
    assert.deepEqual(
      lines.map(({ text, header }) => [header.origin, text]),
      [['health', 'FAIL gpu 3']],
    );
    assert.deepEqual(
      coverage.map(({ origin }) => origin),
      ['health'],
    );
  });
}

/** Lines of one stream are numbered from 1 on and their stamps never go back. */
export function assertOrdered(lines: readonly ReadLine[]): void {
  const last = new Map<string, ReadLine>();
  for (const line of lines) {
    const known = last.get(line.header.stream);
    assert.equal(line.number, (known?.number ?? 0) + 1);
    assert.ok((line.stamp ?? 0n) >= (known?.stamp ?? 0n));
    last.set(line.header.stream, line);
  }
}
