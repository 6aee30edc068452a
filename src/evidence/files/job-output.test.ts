import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJobFolder, isNamedAsJobOutput, isSurelyJobOutput, jobOfOutput } from './job-output.ts';

test('the output of a job is known by its name, packed and rotated too', () => {
  const surely = [
    'slurm-48213.out',
    'slurm-48213_7.out.gz',
    'stdout',
    'stdout.log',
    'stderr_3.txt',
    'STDERR.1',
  ];
  const more = ['nohup.out', 'job.log', 'job.out', 'pretrain.o48213', 'pretrain.e48213.xz'];
  for (const name of [...surely, ...more]) {
    assert.ok(isSurelyJobOutput(name) && isNamedAsJobOutput(name), name);
  }
  const usually = ['train.out', 'train.err.zst', 'node-02.out', 'rank7.log', 'rank_7.txt', 'job-48213.log'];
  for (const name of [...usually, 'worker-0.stderr.log', 'node_0_stdout.txt', 'output.log']) {
    assert.ok(!isSurelyJobOutput(name) && isNamedAsJobOutput(name), name);
  }
});

test('names of logs and of nodes are no names of output', () => {
  const names = ['node-02.log', 'dmesg.txt', 'kern.log.1', 'messages', 'slurmctld.log', 'slurmd-node-02.log'];
  for (const name of [...names, 'sacct.txt', 'jobs-node-1.json', 'ranker.log', 'outage.log', 'train-01.log']) {
    assert.ok(!isNamedAsJobOutput(name), name);
  }
});

test('folders of job output are known by their names', () => {
  assert.ok(['job', 'jobs', 'Stdout', 'outputs'].every(isJobFolder));
  assert.ok(!['kernel', 'logs', 'node-01', 'jobs-2'].some(isJobFolder));
});

test('output is named after its job', () => {
  const names = { 'slurm-5.out': '5', 'slurm-5_3.out': '5', 'job_42.log': '42', 'train-12345.err': '12345' };
  for (const [name, job] of Object.entries(names)) assert.equal(jobOfOutput(name, false), job, name);
  for (const name of ['train.out', 'rank-7.out', 'run-2026.out', 'node-12345.log', '5.out']) {
    assert.equal(jobOfOutput(name, false), null, name);
  }
  assert.equal(jobOfOutput('5.out', true), '5');
  assert.equal(jobOfOutput('5.log', true), null);
});
