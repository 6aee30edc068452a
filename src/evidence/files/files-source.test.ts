import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { folder, iso, nodes, now, plan, run, top, windowed } from '../../../tests/support/files-run.ts';
import type { SampleBatch, StateBatch } from '../../core/batch.ts';

const kernelLines =
  '[   10.000001] usb 1-1: new device\n[   11.000002] NVRM: Xid (PCI:0000:b3:00): 79, pid=1\n';

test('text arrives as it stands in the file, packed or not, with its node, origin and counts', async () => {
  const root = folder({
    'kernel/node-01.log': kernelLines,
    'kernel/node-02.log.gz': gzipSync(kernelLines),
    'kernel/node-03.dmesg.zst': zstdCompressSync(kernelLines),
    'job/rank0.out': 'no newline at the end',
    'job/crlf.out': 'one\r\ntwo\r\n',
    'job/zeros.out': `before\n${'\0'.repeat(300)}after\n`,
  });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02', 'node-03', 'node-04') });
  for (const name of ['node-01.log', 'node-02.log.gz', 'node-03.dmesg.zst']) {
    assert.equal(got.text(name), kernelLines);
    assert.equal(got.headers(name)[0]?.origin, 'kernel');
    assert.equal(got.headers(name)[0]?.node, name.slice(0, 7));
    assert.equal(got.headers(name)[0]?.format, 'dmesg');
  }
  assert.equal(got.text('rank0.out'), 'no newline at the end');
  assert.equal(got.text('crlf.out'), 'one\r\ntwo\r\n');
  assert.equal(got.text('zeros.out'), `before\n${'\0'.repeat(300)}after\n`);
  assert.deepEqual(got.groups('kernel'), [
    ['complete', 'node-[01-03]'],
    ['absent', 'node-04'],
  ]);
  assert.equal(got.of('kernel').lines, 6);
  assert.equal(got.of('kernel').streams, 3);
  assert.equal(got.of('kernel').bytes, 3 * kernelLines.length);
  assert.deepEqual(got.groups('job'), [['complete', '']]);
  assert.deepEqual(got.groups('scheduler'), [['not_configured', 'node-[01-04]']]);
  assert.deepEqual(got.groups('exporter'), [['not_configured', 'node-[01-04]']]);
});

test('an empty file is silent, and a damaged or foreign one is failed: neither is complete', async () => {
  const long = Array.from({ length: 20_000 }, (_, n) => `[${n}.${(n * 7919) % 999_999}] line ${n}\n`).join('');
  const packed = gzipSync(long);
  const root = folder({
    'kernel/node-01.log': '',
    'kernel/node-02.log.gz': packed.subarray(0, packed.length - 1000),
    'kernel/node-03.log': Buffer.from(kernelLines, 'utf16le'),
    'kernel/node-04.log.bz2': 'BZh91AY&SY',
    'kernel/node-05.log': kernelLines,
  });
  const got = await run(root);
  assert.deepEqual(
    new Map(got.of('kernel').groups.map(group => [group.nodes, group.status])),
    new Map([
      ['node-01', 'silent'],
      ['node-02', 'failed'],
      ['node-03', 'failed'],
      ['node-04', 'failed'],
      ['node-05', 'complete'],
    ]),
  );
  const kept = got.text('node-02.log.gz');
  assert.ok(kept.length > 0 && kept.endsWith('\n') && long.startsWith(kept));
  assert.ok(got.of('kernel').groups.every(group => (group.reason === null) === (group.status === 'complete')));
});

test('an archive bomb is truncated', async () => {
  const root = folder({ 'kernel/node-01.gz': gzipSync(Buffer.alloc(30_000_000, '[    1.000000] x\n')) });
  const got = await run(root, plan, { expansion: { bytes: 2 ** 40, ratio: 100, ratioFromBytes: 2 ** 20 } });
  assert.deepEqual(got.groups('kernel'), [['truncated', 'node-01']]);
});

test('a line of 5 MB passes in pieces, and lines after it keep their numbers', async () => {
  const text = `first\n${'x'.repeat(5_000_000)}\nlast\n`;
  const root = folder({ 'job/a.out': text });
  const got = await run(root);
  assert.equal(got.text('a.out'), text);
  const last = got.batches.at(-1);
  assert.ok(last?.kind === 'lines' && last.length <= 2 ** 20 + 2 ** 17 + 1);
  const own = Buffer.from(last.bytes.subarray(0, last.length)).toString();
  assert.equal(last.header.firstLine + (own.split('\nlast')[0] ?? '').split('\n').length, 3);
});

test('batches put together are the file, whatever the sizes of reads, batches and pieces', async () => {
  const content = fc.array(fc.oneof(fc.constant('\n'), fc.constant('\r\n'), fc.string({ maxLength: 60 })), {
    maxLength: 80,
  });
  const sizes = fc.record({
    read: fc.integer({ min: 1, max: 70 }),
    piece: fc.integer({ min: 1, max: 40 }),
    more: fc.integer({ min: 1, max: 90 }),
  });
  const root = folder({ 'job/a.out': '', 'job/b.out.gz': '' });
  await fc.assert(
    fc.asyncProperty(content, sizes, async (parts, { read, piece, more }) => {
      const text = `begins ${parts.join('')}`;
      writeFileSync(join(root, 'job/a.out'), text);
      writeFileSync(join(root, 'job/b.out.gz'), gzipSync(text));
      const cut = { ownBytes: piece + more, contextLines: 3, contextBytes: 30, pieceBytes: piece };
      const got = await run(root, plan, { readBytes: read, cut });
      assert.equal(got.text('a.out'), text);
      assert.equal(got.text('b.out.gz'), text);
    }),
    { numRuns: 30 },
  );
});

test('links out of the root and pipes are not read, and said', async () => {
  const outside = folder({ secret: 'root:x:0:0\n' });
  const root = folder({ 'job/a.out': 'fine\n' });
  symlinkSync(join(outside, 'secret'), join(root, 'job/b.out'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'job/c.out')]);
  const got = await run(root);
  assert.equal(got.batches.length, 1);
  const said = got.of('job').remarks.join('\n');
  assert.match(said, /b\.out: a link leads out of its root/);
  assert.match(said, /c\.out: it is neither a file nor a folder/);
});

const bootTable = `NodeName=node-01 Arch=x86_64 CoresPerSocket=48
   NodeAddr=10.0.0.1 NodeHostName=node-01-eth Version=24.05
   State=DOWN+NOT_RESPONDING ThreadsPerCore=1
   BootTime=2026-11-29T08:00:00 SlurmdStartTime=2026-11-29T08:01:00
   Reason=Not responding [root@2026-11-30T12:00:30]
`;
const jobTable = `JobID|State|ExitCode|NodeList|Start|End
42|NODE_FAIL|1:0|node-[01-02]|2026-11-30T10:00:00|2026-11-30T12:00:00
42.batch|CANCELLED|0:15|node-01|2026-11-30T10:00:00|2026-11-30T12:00:00
`;

test('scheduler tables become states, prove their nodes, and date the kernel logs of nodes they know', async () => {
  const root = folder({
    'kernel/node-01.log': kernelLines,
    'kernel/node-02.log': kernelLines,
    'scheduler/nodes.txt': bootTable,
    'scheduler/sacct.txt': jobTable,
    'scheduler/slurmctld.log': '[2026-11-30T12:00:30.000] error: Nodes node-01 not responding\n',
    'scheduler/job.json': '{"job": {}}\n',
  });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02') });
  const states = got.batches.filter((batch): batch is StateBatch => batch.kind === 'states');
  const rows = states.flatMap(batch => batch.rows);
  assert.ok(rows.some(row => row.entity === 'node' && row.name === 'node-01' && row.field === 'state'));
  assert.ok(
    rows.some(row => row.entity === 'job' && row.name === '42' && row.value === 'NODE_FAIL' && row.line === 2),
  );
  assert.equal(got.headers('node-01.log')[0]?.dating.bootNanos, iso('2026-11-29T08:00:00Z'));
  assert.equal(got.headers('node-02.log')[0]?.dating.bootNanos, null);
  assert.equal(got.headers('slurmctld.log')[0]?.origin, 'scheduler');
  assert.match(got.of('scheduler').remarks.join(), /not read: .*job\.json: it is no JSON answer of slurmrestd/);
});

test('answers of slurmrestd tell of the job, its nodes and their boots', async () => {
  const nodesAnswer = {
    nodes: [
      { name: 'node-01', state: ['DOWN'], boot_time: { set: true, infinite: false, number: 1_764_403_200 } },
    ],
    errors: [],
  };
  const root = folder({
    'kernel/node-01.log': kernelLines,
    'scheduler/nodes.json': JSON.stringify(nodesAnswer, null, 2),
    'scheduler/empty.json': '{"jobs": []}\n',
  });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02') });
  const rows = got.batches.flatMap(batch => (batch.kind === 'states' ? batch.rows : []));
  assert.ok(rows.some(({ name, field, value }) => name === 'node-01' && field === 'state' && value === 'DOWN'));
  assert.equal(got.headers('node-01.log')[0]?.dating.bootNanos, 1_764_403_200n * 1_000_000_000n);
  assert.deepEqual(got.groups('scheduler')[0], ['complete', 'node-01']);
});

test('documents of health checks become states, and their lines stay lines', async () => {
  const verdict = { node: 'node-01', verdict: 'fail', affected_components: [] };
  const log = ['epilog: check x: FAIL', ...JSON.stringify(verdict, null, 2).split('\n'), 'epilog: done', ''];
  const root = folder({ 'epilog/node-01.log': log.join('\n'), 'epilog/node-02.log': 'epilog: done\n' });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02') });
  const states = got.batches.filter((batch): batch is StateBatch => batch.kind === 'states');
  assert.deepEqual(
    states
      .flatMap(({ rows }) => rows)
      .map(({ entity, node, field, value, line }) => [entity, node, field, value, line]),
    [['check', 'node-01', 'verdict', 'FAIL', 4]],
  );
  assert.equal(states[0]?.header.origin, 'health');
  assert.equal(got.text('node-01.log').split('\n').length, log.length);
  assert.doesNotMatch(got.text('node-01.log'), /verdict/);
  assert.deepEqual(got.groups('health'), [['complete', 'node-[01-02]']]);
});

test('a log with a document that was not read is not complete, wherever in it that stands', async () => {
  const verdict = { node: 'node-01', verdict: 'fail', affected_components: [] };
  const filler = `${'x'.repeat(1023)}\n`.repeat(16 * 1024 + 100);
  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
  const root = folder({
    'epilog/node-01.log': `${JSON.stringify(verdict).slice(0, -1)}\nepilog: done\n`,
    'epilog/node-02.log': `{"affected_components": [], "more": ${deep}}\nepilog: done\n`,
    'epilog/node-03.log': `${filler}${JSON.stringify(verdict)}\nepilog: done\n`,
    'epilog/node-04.log': `${filler}epilog: done\n`,
    'epilog/node-05.log': `${JSON.stringify({ ...verdict, node: 'node-05' })}\nepilog: done\n`,
    'epilog/node-06.log': `${JSON.stringify(verdict)}\nepilog: done\n`,
  });
  const names = ['node-01', 'node-02', 'node-03', 'node-04', 'node-05', 'node-06'];
  const got = await run(root, { ...plan, nodes: nodes(...names) });
  const statuses = Object.fromEntries(
    got.of('health').groups.map(({ nodes: list, status, reason }) => [list, [status, reason?.slice(0, 20)]]),
  );
  assert.deepEqual(statuses, {
    'node-01': ['truncated', 'a JSON document that'],
    'node-02': ['truncated', 'a JSON document of m'],
    'node-03': ['truncated', 'JSON documents are n'],
    'node-[04-05]': ['complete', undefined],
    'node-06': ['truncated', 'a JSON document is a'],
  });
});

test('the log of a node daemon belongs to its node', async () => {
  const root = folder({
    'scheduler/slurmd-node-01.log': '[2026-11-30T12:00:30.000] error: gres count too low\n',
  });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02') });
  assert.equal(got.headers('slurmd-node-01.log')[0]?.node, 'node-01');
  assert.deepEqual(got.groups('scheduler'), [
    ['complete', 'node-01'],
    ['absent', 'node-02'],
  ]);
});

test('saved query answers become samples of their nodes', async () => {
  const series = {
    metric: { __name__: 'up', instance: 'node-01:9400' },
    values: [
      [1764504221, '1'],
      [1764504251, '0'],
    ],
  };
  const root = folder({
    'metrics/up.json': JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [series] } }),
    'metrics/broken.json': '{"status":"success","data"',
  });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02') });
  const [samples] = got.batches.filter((batch): batch is SampleBatch => batch.kind === 'samples');
  assert.ok(samples?.query.endsWith('/metrics/up.json'));
  assert.deepEqual(samples?.series[0]?.values, [1, 0]);
  assert.equal(samples?.series[0]?.node, 'node-01');
  assert.equal(got.of('exporter').lines, 2);
  assert.ok(got.groups('exporter').some(([status, names]) => status === 'complete' && names === 'node-01'));
  assert.ok(got.groups('exporter').some(([status]) => status === 'failed'));
});

test('a journal export is decoded entry by entry, so that line numbers stay', async () => {
  const entry = (fields: object) =>
    JSON.stringify({ __REALTIME_TIMESTAMP: '1764504221123456', _HOSTNAME: 'node-01', ...fields });
  const root = folder({
    'kernel/node-01.json': [
      entry({ _TRANSPORT: 'kernel', MESSAGE: 'NVRM: Xid (PCI:0000:b3:00): 79' }),
      entry({ _TRANSPORT: 'syslog', SYSLOG_IDENTIFIER: 'sshd', MESSAGE: 'two\nlines' }),
      entry({ _TRANSPORT: 'kernel', MESSAGE: [78, 86, 82, 77, 255] }),
    ].join('\n'),
  });
  const got = await run(root);
  const lines = got.text('node-01.json').split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? '', /node-01 kernel: NVRM: Xid \(PCI:0000:b3:00\): 79$/);
  assert.match(lines[1] ?? '', /sshd: two lines$/);
  assert.match(lines[2] ?? '', /kernel: NVRM/);
  assert.equal(got.headers('node-01.json')[0]?.format, 'journald');
  assert.deepEqual(got.groups('kernel'), [['complete', 'node-01']]);
});

test('files last changed before the window are silent, of other nodes unread', async () => {
  const root = folder({
    'kernel/node-01.log': kernelLines,
    'kernel/node-02.log': kernelLines,
    'kernel/node-03.log': kernelLines,
  });
  const before = Number(iso('2026-11-30T11:00:00Z') / 1_000_000_000n);
  utimesSync(join(root, 'kernel/node-01.log'), before, before);
  const asked = { ...windowed, nodes: nodes('node-01', 'node-02') };
  const got = await run(root, asked);
  assert.deepEqual(
    got
      .groups('kernel')
      .map(group => group.join(' '))
      .sort(),
    ['complete node-02', 'silent node-01'],
  );
  assert.equal(got.text('node-01.log') + got.text('node-03.log'), '');
  assert.equal((await run(root, asked, { skipUnchanged: false })).text('node-01.log'), kernelLines);
  assert.equal((await run(root, { ...asked, everything: true })).text('node-01.log'), kernelLines);
});

test('the epilog is read in its own window or with everything, and nothing else of it', async () => {
  const root = folder({
    'epilog/node-01.log': 'ERROR:  nhc:  Health check failed:  check_nv\n',
    'kernel/node-01.log': kernelLines,
  });
  const fast = await run(root, windowed);
  assert.ok(fast.coverage.every(entry => entry.origin !== 'health'));
  const slow = await run(root, {
    ...windowed,
    nodes: nodes('node-01'),
    only: [],
    epilogWindow: { from: iso('2026-11-30T12:00:00Z'), to: iso('2026-11-30T14:00:00Z') },
  });
  assert.deepEqual(
    slow.coverage.map(entry => entry.origin),
    ['health'],
  );
  assert.deepEqual(slow.groups('health'), [['complete', 'node-01']]);
  assert.deepEqual(slow.of('health').notYet, { from: now, to: iso('2026-11-30T14:00:00Z') });
});

test('a later reading takes only what it is asked for again', async () => {
  const root = folder({
    'kernel/node-01.log': kernelLines,
    'kernel/node-02.log': kernelLines,
    'job/a.out': 'x\n',
    'scheduler/slurmctld.log': '[2026-11-30T12:00:30.000] error: x\n',
  });
  const asked = { ...windowed, nodes: nodes('node-01', 'node-02') };
  const some = await run(root, { ...asked, only: [{ source: 'files', nodes: ['node-02'] }] });
  assert.deepEqual(some.batches.map(batch => batch.header.stream.slice(root.length)).sort(), [
    '/kernel/node-02.log',
    '/scheduler/slurmctld.log',
  ]);
  assert.deepEqual(some.groups('kernel'), [['complete', 'node-02']]);
  assert.ok(some.coverage.every(entry => entry.origin !== 'job'));
  const whole = await run(root, { ...asked, only: [{ source: 'files', nodes: [] }] });
  assert.equal(whole.batches.length, 4);
  const none = await run(root, { ...asked, only: [{ source: 'files', nodes: ['node-09'] }] });
  assert.deepEqual([none.batches, none.coverage], [[], []]);
});

test('loose files count as more than job text only where a person pointed at them and no line is job text', async () => {
  const root = folder({
    'dmesg.txt': kernelLines,
    'mixed.log': `${kernelLines.repeat(2000)}0: [rank0]: Traceback\n`,
    'slurm-42.out': kernelLines,
    'notes.txt': 'nothing of a log\n',
    'sub/more.txt': 'nothing either\n',
  });
  const trusted = await run(root);
  assert.equal(trusted.headers('dmesg.txt')[0]?.origin, 'kernel');
  assert.equal(trusted.headers('mixed.log')[0]?.origin, 'job');
  assert.equal(trusted.headers('slurm-42.out')[0]?.origin, 'job');
  assert.match(trusted.of('job').remarks.join(), /mixed\.log counts as job text: line 4001 of it is job text/);
  assert.deepEqual(trusted.of('kernel').remarks, [
    `taken for a kernel log by what it holds: ${join(root, 'dmesg.txt')}`,
  ]);
  assert.deepEqual(trusted.of('job').remarks.slice(0, 2), [
    `taken for job text by its name: ${join(root, 'slurm-42.out')}`,
    `taken for job text by what it holds: ${join(root, 'notes.txt')}, ${join(root, 'sub/more.txt')}`,
  ]);
  const configured = await run(root, plan, { trust: 'configured' });
  assert.deepEqual(new Set(configured.batches.map(batch => batch.header.origin)), new Set(['job']));
  assert.deepEqual(configured.of('job').remarks, []);
});

test('a log shared by several hosts proves the nodes whose lines were seen, and no others', async () => {
  const lines = (host: string) => `2026-11-30T12:00:00.000000+00:00 ${host} kernel: usb 1-1: new device\n`;
  const root = folder({ 'kernel/syslog.log': lines('node-01') + lines('node-02') });
  const got = await run(root, { ...plan, nodes: nodes('node-01', 'node-02', 'node-03') });
  assert.equal(got.headers('syslog.log')[0]?.node, null);
  assert.deepEqual(got.groups('kernel'), [
    ['complete', 'node-[01-02]'],
    ['unknown', 'node-03'],
  ]);
});

test('a log that ended before the window or began after it is silent about it', async () => {
  const line = (host: string, time: string) =>
    `2026-11-30T${time}:00.000000+00:00 ${host} kernel: usb 1-1: new device\n`;
  const root = folder({
    'kernel/node-01.log': line('node-01', '10:00') + line('node-01', '11:00'),
    'kernel/node-02.log': line('node-02', '12:30') + line('node-02', '12:40'),
    'kernel/node-03.log': line('node-03', '10:00') + line('node-03', '12:40'),
    'kernel/node-04.log': '[   10.000001] usb 1-1: new device\n',
  });
  const got = await run(root, windowed);
  assert.deepEqual(
    got.of('kernel').groups.map(({ status, nodes, reason }) => [status, nodes, reason]),
    [
      ['silent', 'node-01', 'its last line is from before the window'],
      ['silent', 'node-02', 'its first line is from after the window'],
      ['complete', 'node-[03-04]', null],
    ],
  );
});

test('a deadline leaves timed out what was not read', async () => {
  const root = folder({ 'kernel/node-01.log': kernelLines, 'job/a.out': 'x\n' });
  const got = await run(root, plan, {}, AbortSignal.abort());
  assert.equal(got.batches.length, 0);
  assert.ok(got.coverage.every(entry => entry.groups.every(group => group.status === 'timed_out')));
});

test('a missing root is failed, never absent or silent', async () => {
  const got = await run(join(top, 'nowhere'), { ...plan, nodes: nodes('node-01') });
  assert.deepEqual(got.groups('kernel'), [['failed', 'node-01']]);
  assert.match(got.of('kernel').remarks.join(), /nowhere could not be read \(ENOENT\)/);
});

test('a large ordered file is read from where its window begins, with right line numbers', async () => {
  const stamp = (n: number) => new Date(Date.parse('2026-11-30T00:00:00Z') + n * 1000).toISOString();
  const lines = Array.from({ length: 60_000 }, (_, n) =>
    n % 7 === 3
      ? `  continuation of ${n - 1}`
      : `${stamp(n)} node-01 kernel: message number ${n} of a quiet day`,
  );
  const root = folder({ 'kernel/node-01.log': `${lines.join('\n')}\n` });
  const got = await run(root, windowed, { bisectFromBytes: 1000 });
  const text = got.text('node-01.log');
  const numbers = text.trimEnd().split('\n');
  const first = lines.indexOf(numbers[0] ?? '');
  assert.ok(first > 30_000);
  assert.equal(got.headers('node-01.log')[0]?.firstLine, first + 1);
  assert.deepEqual(numbers, lines.slice(first, first + numbers.length));
  const inWindow = lines.filter((_, n) => n >= 42_300 && n < 43_320);
  assert.ok(inWindow.every(line => numbers.includes(line)));
  assert.ok(numbers.length < 10_000);
});

test('a file in disorder is read whole', async () => {
  const stamp = (n: number) => new Date(Date.parse('2026-11-30T00:00:00Z') + n * 1000).toISOString();
  const lines = Array.from(
    { length: 40_000 },
    (_, n) => `${stamp((n * 7919) % 40_000)} node-01 kernel: message ${n}\n`,
  );
  const root = folder({ 'kernel/node-01.log': lines.join('') });
  assert.equal((await run(root, windowed, { bisectFromBytes: 1000 })).text('node-01.log'), lines.join(''));
});

test('a mark of the byte order hides no time, and the line is found again where it stands', async () => {
  const line = 'Nov 30 11:50:00 node-01 kernel: usb 1-1: new device\n';
  const got = await run(folder({ 'kernel/node-01.log': `\ufeff${line}` }), windowed);
  assert.equal(got.text('node-01.log'), line);
  assert.deepEqual(got.groups('kernel'), [['complete', 'node-01']]);
});

test('a tar archive is told for what it is, packed or not', async () => {
  const tar = Buffer.alloc(1024);
  tar.write('kernel/node-01.log', 0);
  tar.write('ustar', 257);
  tar.write('Nov 30 11:50:00 node-01 kernel: usb 1-1: new device\n', 512);
  for (const bytes of [tar, gzipSync(tar)]) {
    const got = await run(folder({ 'kernel/node-01.log': bytes }), windowed);
    assert.deepEqual(
      got.of('kernel').groups.map(({ status, reason }) => [status, reason]),
      [['failed', 'it is a tar archive: unpack it into a folder']],
    );
  }
});

test('a log that names no node is of the folder it lies in, else of the one node asked about, else of none', async () => {
  const nodesOf = async (files: Record<string, string>, asked: readonly string[] = []) => {
    const request = { ...plan.request, scope: { ...plan.request.scope, nodes: asked } };
    const nodes = asked.map(name => ({ name, aliases: [] }));
    const { headers } = await run(folder(files), { ...plan, request, nodes });
    return Object.keys(files).map(file => headers(file)[0]?.node ?? null);
  };
  const log = kernelLines;
  assert.deepEqual(await nodesOf({ 'h3-07/dmesg.txt': log, 'h3-08/paste.txt': log }), ['h3-07', 'h3-08']);
  for (const name of ['dmesg.txt', 'paste.txt', 'kernel/dmesg.txt', 'kernel/messages']) {
    assert.deepEqual(await nodesOf({ [name]: log }), [null], name);
    assert.deepEqual(await nodesOf({ [name]: log }, ['node-05']), ['node-05'], name);
    assert.deepEqual(await nodesOf({ [name]: log }, ['node-05', 'node-06']), [null], name);
    const beside = { [name]: log, 'slurm-7.out': 'step 1\n' };
    assert.deepEqual((await nodesOf(beside, ['node-05']))[0], 'node-05', `${name} beside the job's output`);
  }
  assert.deepEqual(await nodesOf({ 'dmesg.txt': log, 'kern.log': log }, ['node-05']), [null, null]);
  assert.deepEqual(await nodesOf({ 'node-06/dmesg.txt': log }, ['node-05']), ['node-06']);
});
