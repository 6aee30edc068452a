import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeOfAnotherJob } from './other-jobs.ts';

const header = {
  format: 'auto',
  stream: 'epilog/node-01.log',
  dating: { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null },
};
const isForeign = (job: string | null, ...lines: readonly string[]) => mayBeOfAnotherJob(lines, header, job);
const failed = 'check gpu-count: FAIL (7 of 8)';
const end = (job: number) => `job ${job}: health checks finished, result FAIL`;

test('an undated log that names another job, or several, may be of another', () => {
  assert.equal(isForeign('42', failed, end(41), end(42)), true);
  assert.equal(isForeign('42', failed, end(41)), true);
  assert.equal(isForeign(null, failed, end(41), end(42)), true);
  for (const line of [
    'JobId=41',
    'SLURM_JOB_ID=41_7',
    'epilog of job 41.batch',
    '(job: 41)',
    'job id 41',
    'job #41',
    '{"job_id": 41, "verdict": "fail"}',
    '{"job": {"id": "41"}, "verdict": "fail"}',
    '{"SLURM_JOB_ID":"41"}',
    '{"jobId":41}',
    'job number 41: running health checks',
    'job no 41',
    '=== epilog of 41 on node-04',
    'health checks for 41',
    'workload_id: 41',
    'slurm.job.id=41',
  ]) {
    assert.equal(isForeign('42', failed, line), true, line);
  }
});

test('a log of the job alone, of no job that is named, or with times is read', () => {
  assert.equal(isForeign('42', failed, end(42)), false);
  assert.equal(isForeign(null, failed, end(41)), false);
  assert.equal(isForeign('42', failed, 'jobs 41', 'job-41.out', 'job control', '41'), false);
  const stamped = (text: string) => `2026-11-30T12:00:00+00:00 node-01 epilog[41]: ${text}`;
  assert.equal(isForeign('42', stamped(failed), stamped(end(41)), stamped(end(42)), failed), false);
  assert.equal(isForeign('42', 'epilog[41]: gpu_burn', 'check 41 of 50', 'found 41 jobs'), false);
});

test('a line with a time does not date what lines without one say of another job', () => {
  const stamped = `2026-11-30T12:00:00+00:00 node-01 epilog: ${end(42)}`;
  assert.equal(isForeign('42', 'job 41: running', failed, stamped), true);
  assert.equal(isForeign('42', stamped, 'job 41: running', failed), true);
});
