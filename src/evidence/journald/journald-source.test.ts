import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isInstalled } from '../../../tests/support/installed.ts';
import {
  type JournalEntry,
  journalPackages,
  journalPrograms,
  writeJournal,
} from '../../../tests/support/journals.ts';
import {
  type Collected,
  collectLines,
  machineClock,
  planFor,
  statusesOf,
} from '../../../tests/support/log-lines.ts';
import type { CollectPlan } from '../../core/ports.ts';
import { minute, second } from '../../core/time.ts';
import { bufferPool } from '../buffers.ts';
import { createJournaldSource } from './journald-source.ts';
import { parseJournaldSettings } from './settings.ts';

const from = 1_796_126_400n * second;
const window = { from, to: from + 17n * minute };
const nodes = ['node-01', 'node-02', 'node-03', 'node-04'];

const kernel = (host: string, offset: bigint, message: string | Uint8Array): JournalEntry => ({
  nanos: from + offset,
  host,
  transport: 'kernel',
  message,
});
const xid = 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.';

/** In the order of time, as a journal is written. */
const entries: readonly JournalEntry[] = [
  kernel('node-03', -minute, 'before the window'),
  { ...kernel('node-01.example', second, xid), boot: '1123456789abcdef0123456789abcdef' },
  kernel('node-02', 2n * second, Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe, 0x0a, 0x78])),
  { ...kernel('node-02', 3n * second, 'NVRM: forged'), transport: 'syslog', identifier: 'kernel' },
  {
    ...kernel('node-02', 4n * second, 'System is rebooting.'),
    transport: 'journal',
    unit: 'systemd-logind.service',
    identifier: 'systemd-logind',
  },
  kernel('node-02', 5n * second, 'x'.repeat(10_000)),
  kernel('node-02.other.example', 6n * second, xid),
  { ...kernel('node-01.example', minute, 'after the restart'), boot: '2123456789abcdef0123456789abcdef' },
  kernel('node-09', minute, 'of another job'),
  kernel('node-01.example', 17n * minute, 'at the end of the window'),
];

async function collect(
  written: Readonly<Record<string, unknown>>,
  more: Partial<CollectPlan> = {},
  signal?: AbortSignal,
): Promise<Collected> {
  const parsed = parseJournaldSettings({ name: 'journal', kind: 'journald', ...written });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  const source = createJournaldSource(parsed.settings, { clock: machineClock, buffers: bufferPool() });
  return collectLines(source, planFor(nodes, window, more), signal);
}

if (isInstalled(journalPrograms, journalPackages)) testJournals();
else test('journals', { skip: `cannot be installed here: ${journalPackages.join(', ')}` }, () => {});

function testJournals(): void {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'attribution-journal-'));
    mkdirSync(join(folder, 'remote'));
    writeJournal(join(folder, 'remote', 'all.journal'), entries);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = () => join(folder, 'remote', 'all.journal');

  test('kernel messages of every boot, and what units tell of their machine, by node', async () => {
    const { lines } = await collect({ files: [file()] });
    assert.deepEqual(
      lines.map(({ text, header }) => `${header.node} ${text.slice(0, 90)}`),
      [
        `node-01 2026-12-01T12:00:01.000000Z node-01.example kernel: ${xid}`.slice(0, 98),
        'node-01 2026-12-01T12:01:00.000000Z node-01.example kernel: after the restart',
        'node-02 2026-12-01T12:00:02.000000Z node-02 kernel: bad\ufffd\ufffd x',
        'node-02 2026-12-01T12:00:04.000000Z node-02 systemd-logind: System is rebooting.',
        `node-02 2026-12-01T12:00:05.000000Z node-02 kernel: ${'x'.repeat(200)}`.slice(0, 98),
      ],
    );
    assert.ok(lines.every(({ header }) => header.origin === 'kernel' && header.source === 'journal'));
    const long = lines.find(({ text }) => text.length > 10_000);
    assert.ok(long !== undefined, 'a long message is whole');
  });

  test('a line tells how to find it again, and when', async () => {
    const { lines } = await collect({ files: [file()] });
    const [first] = lines;
    assert.equal(first?.stamp, from + second);
    assert.equal(first?.header.entries?.query, `journalctl --file=${file()} -o json _HOSTNAME=node-01.example`);
  });

  test('a folder of journals is read like a file', async () => {
    const { lines, coverage } = await collect({ directories: [join(folder, 'remote')] });
    assert.equal(lines.length, 5);
    assert.deepEqual(statusesOf(coverage, 'kernel'), {
      'node-01': 'complete',
      'node-02': 'complete',
      'node-03': 'silent',
      'node-04': 'absent',
    });
  });

  test('a machine that calls itself otherwise is the node that the operator says', async () => {
    const alone = join(folder, 'alone.journal');
    writeJournal(alone, [kernel('ip-10-0-0-1', second, xid)]);
    const { lines, coverage } = await collect({ files: [alone], node: 'node-04' });
    assert.equal(lines[0]?.header.node, 'node-04');
    assert.equal(lines[0]?.header.hostAlias, 'ip-10-0-0-1');
    assert.equal(statusesOf(coverage, 'kernel')['node-04'], 'complete');
  });

  test('what the caps leave out makes every node truncated', async () => {
    for (const cap of [{ mostLines: 1 }, { mostBytes: 1024 }]) {
      const { coverage, lines } = await collect({ files: [file()], ...cap });
      assert.ok(lines.length <= 3);
      assert.deepEqual(new Set(Object.values(statusesOf(coverage, 'kernel'))), new Set(['truncated']));
    }
  });

  test('a journal that is not there, is damaged, or cannot be asked for fails, and says so', async () => {
    const damaged = join(folder, 'damaged.journal');
    writeFileSync(damaged, 'no journal');
    const commands: readonly Readonly<Record<string, unknown>>[] = [
      { files: [join(folder, 'no.journal')] },
      { files: [damaged] },
      { files: [file()], command: ['/usr/bin/no-such-journalctl'] },
    ];
    for (const written of commands) {
      const { coverage, lines } = await collect(written);
      assert.deepEqual(lines, []);
      assert.deepEqual(
        new Set(Object.values(statusesOf(coverage, 'kernel'))),
        new Set(['failed']),
        JSON.stringify(written),
      );
      assert.ok(coverage[0]?.groups.every(({ reason }) => reason !== null && !reason.includes(folder)));
    }
  });

  test('an answer that does not come by the deadline is not waited for', async () => {
    const { coverage } = await collect({ command: ['sh', '-c', 'exec sleep 60'] }, {}, AbortSignal.timeout(50));
    assert.deepEqual(new Set(Object.values(statusesOf(coverage, 'kernel'))), new Set(['timed_out']));
  });

  test('doctor tells whose journal it is, and what is wrong with one that cannot be read', async () => {
    const examine = async (written: Readonly<Record<string, unknown>>) => {
      const parsed = parseJournaldSettings({ name: 'journal', kind: 'journald', ...written });
      assert.ok(parsed.ok);
      const clock = { ...machineClock, now: () => window.to };
      const source = createJournaldSource(parsed.settings, { clock, buffers: bufferPool() });
      return (await source.examine?.({ metrics: [] }, new AbortController().signal)) ?? [];
    };
    const well = await examine({ files: [file()] });
    assert.deepEqual(
      well.map(({ verdict }) => verdict),
      ['pass', 'pass'],
    );
    assert.match(well[1]?.says ?? '', /entries of 5 hosts, 8 of the kernel in the last 24 h$/);
    const gone = await examine({ files: [join(folder, 'no.journal')] });
    assert.deepEqual(
      gone.map(({ verdict }) => verdict),
      ['fail'],
    );
  });

  test('only what a session lacks is read again', async () => {
    const only = [{ source: 'journal', nodes: ['node-02'] }];
    const { lines, coverage } = await collect({ files: [file()] }, { only });
    assert.deepEqual(new Set(lines.map(({ header }) => header.node)), new Set(['node-02']));
    assert.deepEqual(statusesOf(coverage, 'kernel'), { 'node-02': 'complete' });
  });
}

test('settings name place and remedy of a mistake', () => {
  const problemsOf = (written: Readonly<Record<string, unknown>>): string => {
    const parsed = parseJournaldSettings({ name: 'journal', kind: 'journald', ...written });
    return parsed.ok ? '' : parsed.problems.join('\n');
  };
  assert.match(problemsOf({ files: ['relative.journal'] }), /^files\.0: /);
  assert.match(problemsOf({ node: '-x' }), /^node: /);
  assert.match(problemsOf({ units: ['a + b'] }), /^units\.0: /);
  assert.match(problemsOf({ folder: '/x' }), /unknown setting: .*folder/);
  assert.equal(problemsOf({}), '');
});
