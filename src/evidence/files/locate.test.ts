import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { AttributionRequest } from '../../contract/index.ts';
import type { Located } from '../../core/ports.ts';
import { createClassifier } from './classify.ts';
import { locateInFiles } from './locate.ts';
import { commandLineFilesSettings, type FilesSettings } from './settings.ts';

const top = mkdtempSync(join(tmpdir(), 'locate-'));
after(() => rmSync(top, { recursive: true, force: true }));

const iso = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const request = (workloadId: string, nodes: readonly string[] = []): AttributionRequest => ({
  schemaVersion: '1',
  workloadId,
  scope: { nodes, ranks: [], startTime: null, endTime: null },
  failureContext: { detectedAt: 0n, detectionSignal: 'crash' },
  timeoutMs: 1000,
  workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime: null },
  phase: 'fast',
  continueSession: null,
  userId: 'user1',
});

let folders = 0;
async function locate(
  files: Readonly<Record<string, string>>,
  asked: AttributionRequest,
  settings: Partial<FilesSettings> = {},
  signal = new AbortController().signal,
): Promise<Located> {
  const root = join(top, `f${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const all = { ...commandLineFilesSettings([root], null), ...settings };
  const located = await locateInFiles(all, createClassifier(all), asked, signal);
  assert.ok(located !== null);
  return located;
}

const sacct = `JobID|State|ExitCode|NodeList|Start|End
42|FAILED|1:0|node-[01-02]|2026-11-30T10:00:00|2026-11-30T12:00:00
`;
const record = 'NodeName=node-01 Arch=x86_64\n   NodeAddr=10.0.0.1 NodeHostName=node-01-eth State=DOWN\n';

test('the scheduler tells nodes, their other names, start and end', async () => {
  const located = await locate({ 'scheduler/sacct.txt': sacct, 'scheduler/nodes.txt': record }, request('42'));
  assert.deepEqual(located.nodes, [
    { name: 'node-01', aliases: ['10.0.0.1', 'node-01-eth'] },
    { name: 'node-02', aliases: [] },
  ]);
  assert.equal(located.jobStart, iso('2026-11-30T10:00:00Z'));
  assert.equal(located.jobEnd, iso('2026-11-30T12:00:00Z'));
  assert.match(located.said, /^nodes, start and end of job 42: from .*sacct\.txt/);
});

test('times of the scheduler are in the zone that is set', async () => {
  const located = await locate({ 'scheduler/sacct.txt': sacct }, request('42'), { timezone: 'Asia/Tokyo' });
  assert.equal(located.jobEnd, iso('2026-11-30T03:00:00Z'));
});

test('nodes that were given get their other names', async () => {
  const located = await locate({ 'scheduler/nodes.txt': record }, request('7', ['node-01', 'node-05']));
  assert.deepEqual(located.nodes, [
    { name: 'node-01', aliases: ['10.0.0.1', 'node-01-eth'] },
    { name: 'node-05', aliases: [] },
  ]);
});

test('without scheduler, nodes are those that files are named after', async () => {
  const files = {
    'kernel/node-02.log': '[    1.000000] up\n',
    'kernel/messages': 'Nov 30 12:00:00 node-07 kernel: up\n',
    'epilog/node-01.log': 'ok\n',
    'job/train.out': '0: [2026-11-30 11:59:07,123] step\n0: [2026-11-30 11:58:00,000] step\nno stamp\n',
  };
  const located = await locate(files, request('42'), { trust: 'configured' });
  assert.deepEqual(
    located.nodes.map(node => node.name),
    ['node-01', 'node-02'],
  );
  assert.equal(located.jobEnd, null);
  assert.equal(located.jobLastStamp, iso('2026-11-30T11:59:07.123Z'));
});

test('a loose kernel log that names no host is of the node it is named after, where a person pointed at it', async () => {
  const files = { 'node-17.log': '[    1.000000] NVRM: loading\n[    2.000000] usb 1-1: new device\n' };
  assert.deepEqual((await locate(files, request('42'))).nodes, [{ name: 'node-17', aliases: [] }]);
  assert.deepEqual((await locate(files, request('42'), { trust: 'configured' })).nodes, []);
});

test('the tables of another job say nothing of this one', async () => {
  const located = await locate({ 'scheduler/sacct.txt': sacct }, request('43'), { trust: 'configured' });
  assert.deepEqual([located.nodes, located.jobStart, located.jobEnd], [[], null, null]);
});

test('where tables know several jobs and none was named, the answer says to choose', async () => {
  const two = `${sacct}43|FAILED|1:0|node-[05-08]|2026-11-30T10:00:00|2026-11-30T12:00:00\n`;
  const files = { 'kernel/node-06.log': '[    1.000000] up\n', 'scheduler/sacct.txt': two };
  const unnamed = await locate(files, request(''));
  assert.match(
    unnamed.said,
    /^nodes are those that files are named after; .*sacct\.txt tells of the jobs 42, 43: say with --job which/,
  );
  assert.equal(unnamed.jobEnd, null);
  const named = await locate(files, request('43'));
  assert.deepEqual(
    named.nodes.map(node => node.name),
    ['node-05', 'node-06', 'node-07', 'node-08'],
  );
  assert.match((await locate({ 'scheduler/sacct.txt': two }, request('44'))).said, /tells of the jobs 42, 43/);
});

/** A signal that aborts once it has been looked at so often. */
function abortsAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let left = looks;
  return Object.defineProperty(signal, 'aborted', { get: () => left-- <= 0 });
}

test('a list of nodes that was cut short by time is none', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `node-1${index}`);
  const logs = names.map(name => [`kernel/${name}.log`, '2026-11-30T11:00:00+00:00 x kernel: usb\n'] as const);
  const array = `${sacct}42_1|FAILED|1:0|node-03|2026-11-30T10:00:00|2026-11-30T12:00:00\n`;
  const tables = { 'scheduler/sacct-1.txt': sacct, 'scheduler/sacct-2.txt': array };
  for (const [files, whole] of [
    [Object.fromEntries(logs), names.length],
    [tables, 3],
  ] as const) {
    const counts = new Set<number>();
    for (let looks = 0; looks < 60; looks += 1) {
      counts.add((await locate(files, request('42'), {}, abortsAfter(looks))).nodes.length);
    }
    assert.deepEqual([...counts].sort(), [0, whole]);
  }
});

test('names of output tell which job is meant, where they agree and a person pointed at them', async () => {
  const output = { 'job/slurm-5.out': 'step 1\n', 'job/slurm-5.err': 'step 1\n' };
  assert.equal((await locate(output, request(''))).job, '5');
  assert.equal((await locate({ ...output, 'job/slurm-6.out': '' }, request(''))).job, null);
  assert.equal((await locate({ 'job/0.out': '', 'job/1.out': '' }, request(''))).job, null);
  assert.equal((await locate(output, request(''), { trust: 'configured' })).job, null);
  assert.equal((await locate({ ...output, 'scheduler/sacct.txt': sacct }, request(''))).job, '42');
});
