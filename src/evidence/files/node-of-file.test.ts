import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDirectory } from '../../lines/node-names.ts';
import { isMachine, nodeOfDaemonLog, nodeOfFile, nodeOfFolder } from './node-of-file.ts';

const nobody = nodeDirectory([]);
const cluster = nodeDirectory([
  { name: 'node-01.cluster.log', aliases: [] },
  { name: 'node-02', aliases: ['10.0.0.2'] },
]);

test('known extensions and rotation are no part of a node name, dots are', () => {
  const names: readonly (readonly [string, string])[] = [
    ['node-01.log', 'node-01'],
    ['node-01.dmesg.log.gz', 'node-01'],
    ['node-01.LOG.ZST', 'node-01'],
    ['node-01.log.1', 'node-01'],
    ['node-01.log.20261130.xz', 'node-01'],
    ['node-01.cluster.example.log', 'node-01.cluster.example'],
    ['10.0.0.1.log', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.1'],
    ['node-01', 'node-01'],
  ];
  for (const [file, node] of names)
    assert.deepEqual(nodeOfFile(file, nobody), { node, written: node, joined: false }, file);
});

test('what a log is and its date stand before or behind the node', () => {
  const names: readonly (readonly [string, string | null])[] = [
    ['dmesg-gpu-004.txt', 'gpu-004'],
    ['gpu-004_dmesg.txt', 'gpu-004'],
    ['syslog-gpu-004.log', 'gpu-004'],
    ['gpu-004.journalctl.txt', 'gpu-004'],
    ['dmesg_gpu-004_20261130.log', 'gpu-004'],
    ['gpu-004-2026-11-30-kern.log.gz', 'gpu-004'],
    ['rack2-a2-fabricmanager.log', 'rack2-a2'],
    ['dmesg-10.0.0.4.txt', '10.0.0.4'],
    ['console-gpu-004.txt', 'gpu-004'],
    ['gpu-004.excerpt.txt', 'gpu-004'],
    ['outlook-7.log', 'outlook-7'],
    ['dmesg-2.log', null],
    ['kernel_dmesg.txt', null],
    ['syslog-all.log', null],
    ['kernelbuild-07.log', 'kernelbuild-07'],
    ['dmesg-T.gpu-004.txt', 'gpu-004'],
    ['gpu-004-dmesg-after-reboot.txt', 'gpu-004'],
    ['gpu004-old.log', 'gpu004'],
    ['new-york-07.log', 'new-york-07'],
    ['fabricmanager.log', null],
    ['dmesg-errors-only.log', null],
    ['selene-07.log', 'selene-07'],
  ];
  for (const [file, node] of names) assert.equal(nodeOfFile(file, nobody)?.node ?? null, node, file);
});

test('a node of the job keeps a name that begins like a kind of log', () => {
  const known = nodeDirectory([{ name: 'log-node-01', aliases: [] }]);
  assert.equal(nodeOfFile('log-node-01.txt', known)?.node, 'log-node-01');
  assert.equal(nodeOfFile('dmesg-log-node-01.txt', known)?.node, 'log-node-01');
});

test('the longest reading that is a node of the job wins', () => {
  const node = 'node-01.cluster.log';
  const expected = { node, written: node, joined: true };
  assert.deepEqual(nodeOfFile('node-01.cluster.log', cluster), expected);
  assert.deepEqual(nodeOfFile('node-01.cluster.log.gz', cluster), expected);
});

test('short names, full names and aliases join to the spelling of the job', () => {
  for (const file of ['node-02.log', 'node-02.rack1.dmesg', '10.0.0.2.txt']) {
    assert.deepEqual(nodeOfFile(file, cluster), { node: 'node-02', written: 'node-02', joined: true }, file);
  }
  for (const file of ['node-02.rack1.example', 'node-02.rack1.example.dmesg.gz']) {
    const expected = { node: 'node-02', written: 'node-02.rack1.example', joined: true };
    assert.deepEqual(nodeOfFile(file, cluster), expected, file);
  }
  for (const file of ['node-02.previous.log', 'node-02.part.2.txt', 'node-02.kern.previous.txt']) {
    assert.equal(nodeOfFile(file, cluster)?.written, 'node-02', file);
  }
});

test('names that only say what a log is, or that it is of many hosts, are no node', () => {
  const names =
    'syslog messages.1 kern.log dmesg.txt all.log.gz log.txt kmsg journal journalctl.txt paste.txt out output.log ' +
    'stdout stderr.txt console.log text.txt excerpt.log kernel-log.txt dmesg_output.txt var-log-messages ' +
    'dmesg-20261130.txt console_3.log';
  for (const file of names.split(' ')) assert.equal(nodeOfFile(file, nobody), null, file);
  const known = nodeDirectory([{ name: 'paste', aliases: [] }]);
  assert.equal(nodeOfFile('paste.txt', known)?.node, 'paste', 'unless the job has such a node');
});

test('a folder is of a node where it is called as machines are', () => {
  const names: readonly (readonly [string, string | null])[] = [
    ['gpu-004', 'gpu-004'],
    ['node-02.cluster', 'node-02.cluster'],
    ['logs_h3-07_20261130', 'h3-07'],
    ['evidence', null],
    ['2026-11-30', null],
    ['job-42', null],
    ['slurm_42', null],
    ['attempt3', null],
    ['ticket-17', null],
    ['42', null],
  ];
  for (const [folder, node] of names) assert.equal(nodeOfFolder(folder, nobody), node, folder);
  assert.equal(nodeOfFolder('trainer', nodeDirectory([{ name: 'trainer', aliases: [] }])), 'trainer');
});

test('the log of a node daemon belongs to its node, other logs of the scheduler to none', () => {
  assert.equal(nodeOfDaemonLog('slurmd-node-02.log', cluster)?.node, 'node-02');
  assert.equal(nodeOfDaemonLog('slurmd.node-07.log.gz', nobody)?.node, 'node-07');
  assert.equal(nodeOfDaemonLog('node-02.slurmd.log', cluster)?.node, 'node-02');
  for (const file of [
    'slurmd.log',
    'slurmctld.log',
    'slurmdbd-01.log',
    'sacct.txt',
    'slurmd.log.old',
    'slurmd.log.1',
  ]) {
    assert.equal(nodeOfDaemonLog(file, nobody), null, file);
  }
});

test('machines have letters and a number, or an address; what people number themselves is none', () => {
  for (const name of ['gpu-004', 'nid001412', 'v100x-204', '10.0.0.4']) assert.ok(isMachine(name), name);
  for (const name of ['ticket-48213', '2026-02-11', 'excerpt', 'job_12']) assert.ok(!isMachine(name), name);
});
