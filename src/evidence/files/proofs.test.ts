import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { folder, nodes, plan, run, windowed } from '../../../tests/support/files-run.ts';
import type { CollectPlan } from '../../core/ports.ts';

const line = (host: string, time: string) =>
  `2026-11-30T${time}:00.000000+00:00 ${host} kernel: usb 1-1: new device\n`;
const sacct = `JobID|State|ExitCode|NodeList|Start|End
42|FAILED|1:0|node-[01-04]|2026-11-30T10:00:00|2026-11-30T12:00:00
`;

/** Status and reason of each node's kernel (or health) log. */
async function proofs(
  files: Readonly<Record<string, string | Uint8Array>>,
  asked: CollectPlan = windowed,
  origin: 'kernel' | 'health' | 'job' = 'kernel',
) {
  const got = await run(folder(files), asked);
  return got.of(origin).groups.map(({ status, nodes, reason }) => [status, nodes, reason]);
}

test('a log of blank lines only is silent, wherever it lies', async () => {
  const blank = { 'a.log': '\n\n\n', 'b.log': ' \t \r\n\n', 'c.log': `\n${'\0'.repeat(64)}\n` };
  for (const [name, content] of Object.entries(blank)) {
    const reason = 'its lines are blank';
    assert.deepEqual(await proofs({ [`kernel/${name}`]: content }), [['silent', name.slice(0, 1), reason]]);
    assert.deepEqual(await proofs({ [`epilog/${name}`]: content }, plan, 'health'), [
      ['silent', name.slice(0, 1), reason],
    ]);
    assert.deepEqual(await proofs({ [`job/${name}`]: content }, plan, 'job'), [['silent', '', reason]]);
  }
  assert.deepEqual(await proofs({ 'kernel/node-01.log': `${'\n'.repeat(9000)}${line('node-01', '12:00')}` }), [
    ['complete', 'node-01', null],
  ]);
});

test('a log that holds only the lines of other hosts proves nothing of its node', async () => {
  const reason = 'its lines name other hosts only';
  const asked = { ...windowed, nodes: nodes('node-01', 'node-02', 'node-03') };
  const files = {
    'kernel/node-01.log': line('node-01', '12:00'),
    'kernel/node-02.log': line('node-09', '11:59') + line('node-09', '12:00'),
    'kernel/node-03.log.gz': gzipSync(line('node-01', '12:00')),
  };
  assert.deepEqual(await proofs(files, asked), [
    ['complete', 'node-01', null],
    ['unknown', 'node-[02-03]', reason],
  ]);
});

test('one line of its own among those of others proves a node, under whatever name it calls itself', async () => {
  const files = {
    'kernel/node-01.log': line('login01', '11:59') + line('node-01.cluster.example', '12:00'),
    'kernel/node-02.log': line('ip-10-0-0-2', '11:59') + line('ip-10-0-0-2', '12:00'),
    'kernel/node-03.log': `${line('login01', '11:59')}[   10.000001] usb 1-1: new device\n`,
  };
  const got = await run(folder(files), windowed);
  assert.deepEqual(got.groups('kernel'), [['complete', 'node-[01-03]']]);
  assert.equal(got.headers('node-01.log')[0]?.hostAlias, null);
  assert.equal(got.headers('node-02.log')[0]?.hostAlias, 'ip-10-0-0-2');
});

test('the complaint of whatever failed to fetch a kernel log is no line of it', async () => {
  const reason = 'it holds only what failed to fetch the log, or found none';
  for (const said of [
    '-- No entries --\n',
    'ssh: connect to host node-01 port 22: Connection refused\n',
    'dmesg: read kernel buffer failed: Operation not permitted\n',
    'cat: /var/log/messages: Permission denied\n\n',
    'Hint: You are currently not seeing messages from other users.\nNo journal files were found.\n',
    '/bin/sh: line 1: journalctl: command not found\n',
  ]) {
    assert.deepEqual(await proofs({ 'kernel/node-01.log': said }), [['unknown', 'node-01', reason]], said);
  }
  const seen = await proofs({
    'kernel/node-01.log': '-- No entries --\n',
    'kernel/syslog': line('node-01', '12:00'),
  });
  assert.deepEqual(seen, [['complete', 'node-01', null]]);
});

test('an excerpt of bare kernel text is of the node it lies with, and proves it as far as it goes', async () => {
  const bare = 'usb 1-1: new device\nNVRM: loading\n';
  const root = folder({
    'kernel/node-01.log': bare,
    'kernel/node-02.log': `-- No entries --\n${bare}`,
    'kernel/node-03.log': `${line('node-09', '12:00')}${bare}`,
  });
  const got = await run(root, windowed);
  assert.equal(got.headers('node-01.log')[0]?.origin, 'kernel');
  assert.deepEqual(got.groups('kernel'), [
    ['complete', 'node-[01-02]'],
    ['unknown', 'node-03'],
  ]);
});

test('a kernel log recorded from a coloured terminal is one', async () => {
  const coloured = '\u001b[32m[Mon Nov 30 12:00:00 2026] \u001b[0m\u001b[33musb 1-1: \u001b[0mnew device\n';
  const root = folder({ 'kernel/node-01.log': coloured.repeat(3) });
  const got = await run(root, windowed);
  assert.equal(got.headers('node-01.log')[0]?.origin, 'kernel');
  assert.deepEqual(got.groups('kernel'), [['complete', 'node-01']]);
});

test('a log of daemons alone does not prove that the kernel was silent', async () => {
  const daemon = (time: string) => line('node-01', time).replace('kernel:', 'systemd[1]:');
  const reason = 'no line of the kernel was seen in it';
  assert.deepEqual(await proofs({ 'kernel/node-01.log': daemon('12:00') }), [['unknown', 'node-01', reason]]);
  const early = line('node-01', '08:00') + daemon('12:00').repeat(3000);
  assert.deepEqual(await proofs({ 'kernel/node-01.log': early }), [['complete', 'node-01', null]]);
});

test('where everything is read, a log that ended before the job or long before its end is silent', async () => {
  const files = {
    'kernel/node-01.log': line('node-01', '08:00'),
    'kernel/node-02.log': line('node-02', '10:30'),
    'kernel/node-03.log': line('node-03', '09:00') + line('node-03', '11:50'),
    'kernel/node-04.log': line('node-04', '12:30'),
  };
  const early = 'its last line is from more than 15 minutes before the failure';
  const late = 'its first line is from after the failure';
  const expected = [
    ['silent', 'node-[01-02]', early],
    ['complete', 'node-03', null],
    ['silent', 'node-04', late],
  ];
  assert.deepEqual(await proofs({ ...files, 'scheduler/sacct.txt': sacct }, plan), expected);
  const job = { 'job/train.out': '0: [2026-11-30 12:00:00,123] step\n' };
  assert.deepEqual(await proofs({ ...files, ...job }, plan), expected);
});

test('a job shorter than the look back is judged from its beginning', async () => {
  const files = {
    'kernel/node-01.log': line('node-01', '11:50'),
    'kernel/node-02.log': line('node-02', '11:56'),
    'scheduler/sacct.txt': sacct.replace('T10:00:00', 'T11:55:00'),
  };
  assert.deepEqual(await proofs(files, plan), [
    ['silent', 'node-01', 'its last line is from before the job began'],
    ['complete', 'node-02', null],
  ]);
});

test('what a health check says after the job is about the job, what it said before is not', async () => {
  const files = {
    'epilog/node-01.log': '2026-11-30T12:40:00.000000+00:00 node-01 nhc: ERROR: check failed\n',
    'epilog/node-02.log': '2026-11-30T08:00:00.000000+00:00 node-02 nhc: ERROR: check failed\n',
    'scheduler/sacct.txt': sacct,
  };
  assert.deepEqual(await proofs(files, plan, 'health'), [
    ['complete', 'node-01', null],
    ['silent', 'node-02', 'its last line is from more than 15 minutes before the failure'],
  ]);
});

test('no status is complete without a line that its node wrote', async () => {
  const kinds = fc.constantFrom('\n', ' \r\n', line('node-09', '12:00'), '-- No entries --\n', '\0'.repeat(16));
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { maxLength: 12 }), async parts => {
      const got = await proofs({ 'kernel/node-01.log': parts.join('') }, plan);
      assert.ok(got.every(([status]) => status !== 'complete'));
      const more = await proofs({ 'kernel/node-01.log': parts.join('') + line('node-01', '12:00') }, plan);
      assert.deepEqual(more, [['complete', 'node-01', null]]);
    }),
    { numRuns: 30 },
  );
});

test('in a log shared by hosts, a host whose last line is from before the time looked at is not proved', async () => {
  const old = Array.from({ length: 400 }, (_, n) => line('node-02', `08:${String(n % 60).padStart(2, '0')}`));
  const files = { 'kernel/syslog': old.join('') + line('node-01', '12:00') + line('node-01', '12:01') };
  const asked = { ...windowed, nodes: nodes('node-01', 'node-02') };
  const reason = 'only files shared by several nodes were read, and no line of it was seen';
  assert.deepEqual(await proofs(files, asked), [
    ['complete', 'node-01', null],
    ['unknown', 'node-02', reason],
  ]);
});

test('blank lines and the lines of other hosts at its end carry a log no further', async () => {
  const files = {
    'kernel/node-01.log': `${line('node-01', '10:00')}${'\n'.repeat(300)}`,
    'kernel/node-02.log': `${line('node-02', '10:00')}${line('login01', '12:00')}`,
  };
  assert.deepEqual(await proofs(files), [
    ['silent', 'node-[01-02]', 'its last line is from before the window'],
  ]);
});

test('tables and answers without a record prove nothing of anybody', async () => {
  const answer = '{"status":"success","data":{"resultType":"matrix","result":[]}}';
  const empty = { 'scheduler/jobs.json': '{"jobs": []}', 'scheduler/sacct.txt': '', 'metrics/up.json': answer };
  const got = await run(folder(empty), { ...plan, nodes: nodes('node-01') });
  for (const origin of ['scheduler', 'exporter'] as const) {
    assert.ok(!got.groups(origin).some(([status]) => status === 'complete'), origin);
  }
});

test('nodes whose files are more than are read are told so, the others are as they are', async () => {
  const asked = { ...windowed, nodes: nodes('node-01', 'node-02', 'node-03') };
  const files = Object.fromEntries(
    ['node-01.log', 'node-02.log', 'node-02.log.1', 'node-03.log'].map(name => [
      `kernel/${name}`,
      line(name.slice(0, 7), '12:00'),
    ]),
  );
  const few = await run(folder(files), asked, { mostFiles: 2 });
  assert.deepEqual(few.groups('kernel'), [
    ['complete', 'node-01'],
    ['truncated', 'node-[02-03]'],
  ]);
  assert.match(few.of('kernel').groups[1]?.reason ?? '', /more than 2 files \(mostFiles\)/);
  const unnamed = await run(folder(files), { ...windowed, nodes: [] }, { mostFiles: 2 });
  assert.deepEqual(unnamed.groups('kernel'), [
    ['complete', 'node-01'],
    ['truncated', 'node-[02-03]'],
  ]);
});

test('where files of nobody were left out, no origin that they may be of is complete without them', async () => {
  const asked = { ...windowed, nodes: nodes('node-01') };
  const loose = { 'a.txt': 'notes\n', 'b.txt': line('node-01', '12:00') };
  const got = await run(folder(loose), asked, { mostFiles: 1 });
  assert.deepEqual(got.groups('kernel'), [['truncated', 'node-01']]);
  const job = await run(folder({ 'job/a.out': 'x\n', 'job/b.out': 'y\n' }), asked, { mostFiles: 1 });
  assert.deepEqual(job.groups('job'), [['truncated', '']]);
});
