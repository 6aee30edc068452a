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
  ]) {
    assert.equal(isForeign('42', failed, line), true, line);
  }
});

test('a log of the job alone, of no job that is named, or with times is read', () => {
  assert.equal(isForeign('42', failed, end(42)), false);
  assert.equal(isForeign(null, failed, end(41)), false);
  assert.equal(isForeign('42', failed, 'jobs 41', 'job-41.out', 'job control', '41'), false);
  assert.equal(isForeign('42', `2026-11-30T12:00:00+00:00 node-01 epilog: ${failed}`, end(41), end(42)), false);
});
