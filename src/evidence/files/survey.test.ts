import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import type { AttributionRequest } from '../../contract/index.ts';
import { commandLineFilesSettings, type FilesSettings } from './settings.ts';
import { type Survey, surveyRoots } from './survey.ts';

const top = mkdtempSync(join(tmpdir(), 'survey-'));
after(() => rmSync(top, { recursive: true, force: true }));

const request: AttributionRequest = {
  schemaVersion: '1',
  workloadId: '42',
  scope: { nodes: [], ranks: [], startTime: null, endTime: null },
  failureContext: { detectedAt: 0n, detectionSignal: 'crash' },
  timeoutMs: 1000,
  workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime: null },
  phase: 'fast',
  continueSession: null,
  userId: 'user1',
};

function folder(name: string, files: readonly string[]): string {
  const root = join(top, name);
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${file}\n`);
  }
  return root;
}

async function survey(settings: FilesSettings, nodes: readonly string[] = []): Promise<Survey> {
  const identities = nodes.map(name => ({ name, aliases: [] }));
  return surveyRoots(settings, request, identities, new AbortController().signal);
}

const listed = (root: string, found: Survey) =>
  found.files.map(file => [relative(root, file.path), file.place, file.node]);

test('a laid-out folder says what its files are and whose', async () => {
  const root = folder('laid-out', [
    'kernel/node-01.log',
    'kernel/node-02/dmesg.txt',
    'kernel/syslog',
    'job/attempt_0/0/stderr.log',
    'scheduler/sacct.txt',
    'epilog/node-01.log',
    'metrics/xid.json',
    'notes.txt',
    'kernel.log',
  ]);
  const found = await survey(commandLineFilesSettings([root], null));
  assert.deepEqual(listed(root, found), [
    ['epilog/node-01.log', 'health', 'node-01'],
    ['job/attempt_0/0/stderr.log', 'job', null],
    ['kernel/node-01.log', 'kernel', 'node-01'],
    ['kernel/node-02/dmesg.txt', 'kernel', 'node-02'],
    ['kernel/syslog', 'kernel', null],
    ['kernel.log', 'job', null],
    ['metrics/xid.json', 'exporter', null],
    ['notes.txt', 'job', null],
    ['scheduler/sacct.txt', 'scheduler', null],
  ]);
  assert.deepEqual(found.broken, []);
});

test('a layout folder below another folder lends its files no trust', async () => {
  const root = folder('nested', ['job/kernel/node-01.log', 'other/kernel/node-01.log']);
  const found = await survey(commandLineFilesSettings([root], null));
  assert.deepEqual(listed(root, found), [
    ['job/kernel/node-01.log', 'job', null],
    ['other/kernel/node-01.log', 'job', null],
  ]);
});

test('links inside a root are followed once, links out of it are refused and said', async () => {
  const outside = folder('outside', ['secret.log']);
  const root = folder('links', ['job/real.log', 'kernel/node-01.log']);
  symlinkSync(join(root, 'job/real.log'), join(root, 'job/again.log'));
  symlinkSync(join(outside, 'secret.log'), join(root, 'job/escape.log'));
  symlinkSync(outside, join(root, 'job/folder'));
  symlinkSync(root, join(root, 'job/loop'));
  symlinkSync(join(outside, 'secret.log'), join(root, 'kernel/node-02.log'));
  const found = await survey(commandLineFilesSettings([root], null));
  assert.deepEqual(listed(root, found), [
    ['job/again.log', 'job', null],
    ['kernel/node-01.log', 'kernel', 'node-01'],
  ]);
  assert.deepEqual(
    found.remarks.map(remark => remark.place),
    ['job'],
  );
  assert.match(found.remarks[0]?.text ?? '', /escape\.log.*folder.*a link leads out of its root/);
  const text = `${join(root, 'kernel/node-02.log')}: a link leads out of its root`;
  assert.deepEqual(found.broken, [{ place: 'kernel', text }]);
});

test('pipes are never opened, hidden files are passed over', async () => {
  const root = folder('pipes', ['job/.hidden', 'job/a.log']);
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'job/pipe.log')]);
  const found = await survey(commandLineFilesSettings([root], null));
  assert.deepEqual(listed(root, found), [['job/a.log', 'job', null]]);
  assert.deepEqual(found.remarks.map(remark => remark.text).sort(), [
    `not read: ${join(root, 'job/.hidden')}: hidden files are not read`,
    `not read: ${join(root, 'job/pipe.log')}: it is neither a file nor a folder`,
  ]);
});

test('a root may be one file, and a missing root is broken', async () => {
  const root = folder('single', ['slurm-42.out']);
  const gone = join(top, 'gone');
  const found = await survey(commandLineFilesSettings([join(root, 'slurm-42.out'), gone], null));
  assert.deepEqual(listed(root, found), [['slurm-42.out', 'job', null]]);
  assert.deepEqual(found.broken, [{ place: 'loose', text: `${gone} could not be read (ENOENT)` }]);
});

test('what lies about is job text by its name, its folder or its neighbours, and else undecided', async () => {
  const alone = folder('alone', ['dmesg.txt', 'slurm-42.out.gz', 'train.err', 'jobs/a.log', 'sub/b.log']);
  const settings = commandLineFilesSettings([alone, join(alone, 'jobs')], null);
  const assumed = (found: Survey) =>
    found.files.map(file => [relative(top, file.path), file.place, file.assumed]);
  assert.deepEqual(assumed(await survey(settings)), [
    ['alone/dmesg.txt', 'loose', null],
    ['alone/jobs/a.log', 'job', 'by its folder'],
    ['alone/slurm-42.out.gz', 'job', 'by its name'],
    ['alone/sub/b.log', 'loose', null],
    ['alone/train.err', 'job', 'by its name'],
  ]);
  assert.deepEqual(assumed(await survey(commandLineFilesSettings([join(alone, 'jobs')], null))), [
    ['alone/jobs/a.log', 'job', 'by its folder'],
  ]);
  for (const beside of ['kernel', 'job', 'scheduler']) {
    const root = folder(`beside-${beside}`, [`${beside}/x.txt`, 'dmesg.txt', 'logs/sacct.txt']);
    const found = assumed(await survey(commandLineFilesSettings([root], null)));
    const why = 'as it lies beside kernel/, job/ or scheduler/';
    const loose = found.filter(([, , reason]) => reason !== null);
    assert.deepEqual(loose, [
      [`beside-${beside}/dmesg.txt`, 'job', why],
      [`beside-${beside}/logs/sacct.txt`, 'job', why],
    ]);
  }
  const configured = await survey({ ...settings, trust: 'configured' });
  assert.ok(configured.files.every(file => file.place === 'loose' && file.assumed === null));
});

test("a job's output is no log of a node or of the scheduler, wherever it was put", async () => {
  const root = folder('misplaced', [
    'kernel/node-01/job.out',
    'kernel/node-01/kern.log',
    'kernel/node-02.out',
    'kernel/stderr.log',
    'scheduler/slurm-42.out',
    'scheduler/slurmctld.log',
    'epilog/node-01/stdout.log',
  ]);
  const found = await survey({ ...commandLineFilesSettings([root], null), trust: 'configured' });
  assert.deepEqual(listed(root, found), [
    ['epilog/node-01/stdout.log', 'health', 'node-01'],
    ['kernel/node-01/job.out', 'job', null],
    ['kernel/node-01/kern.log', 'kernel', 'node-01'],
    ['kernel/node-02.out', 'kernel', 'node-02'],
    ['kernel/stderr.log', 'job', null],
    ['scheduler/slurm-42.out', 'job', null],
    ['scheduler/slurmctld.log', 'scheduler', null],
  ]);
});

test('templates lead to the files of one request', async () => {
  const root = folder('templates', [
    'runs/42/kernel/node-01.log',
    'runs/43/kernel/node-01.log',
    'out/42.log',
    'hosts/node-02/dmesg.log',
    'hosts/node-03/dmesg.log',
  ]);
  const settings: FilesSettings = {
    ...commandLineFilesSettings([], null),
    roots: [
      {
        path: root,
        templates: [
          { path: 'runs/{workload_id}', origin: null },
          { path: 'out/{workload_id}.log', origin: 'job' },
          { path: 'hosts/{node}/dmesg.log', origin: 'kernel' },
        ],
      },
    ],
  };
  const found = await survey(settings, ['node-01', 'node-02']);
  assert.deepEqual(listed(root, found), [
    ['runs/42/kernel/node-01.log', 'kernel', 'node-01'],
    ['out/42.log', 'job', null],
    ['hosts/node-02/dmesg.log', 'kernel', 'node-02'],
  ]);
});

test('no more files than the bound are listed, and the rest is said', async () => {
  const root = folder('many', ['job/a.log', 'job/b.log', 'job/c.log']);
  const found = await survey({ ...commandLineFilesSettings([root], null), mostFiles: 2 });
  assert.equal(found.files.length, 2);
  assert.match(found.remarks.map(remark => remark.text).join(), /there are more than 2 files/);
});

test('files of two domains are of two machines, and the name as the job has it counts before a full one', async () => {
  const root = folder('domains', [
    'kernel/node-01.log',
    'kernel/node-01.other.example.log',
    'kernel/node-02.site.example.log',
    'kernel/node-02.site.example.log.1',
    'kernel/node-03.a.example/dmesg.txt',
    'kernel/node-03.b.example.log',
    'kernel/node-04.previous.log',
    'kernel/node-04.current.log',
  ]);
  const found = await survey(commandLineFilesSettings([root], null), [
    'node-01',
    'node-02',
    'node-03',
    'node-04',
  ]);
  assert.deepEqual(
    found.files.map(({ node }) => node),
    [
      'node-01',
      'node-01.other.example',
      'node-02',
      'node-02',
      'node-03.a.example',
      'node-03.b.example',
      'node-04',
      'node-04',
    ],
  );
  assert.ok(found.remarks.some(({ text }) => text.startsWith('3 files')));
});

test('a folder without a file is said to hold none', async () => {
  const root = folder('nothing', ['a.log']);
  rmSync(join(root, 'a.log'));
  const found = await survey(commandLineFilesSettings([root], null));
  assert.deepEqual(
    found.remarks.map(({ text }) => text),
    [`${root} holds no file`],
  );
});
