import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import { othersMemory } from './others-memory.ts';

const kill = (pid: string) =>
  symptom({ symptom: 'host-out-of-memory', node: 'node-01', blames: 'job', strength: 'S3', captures: { pid } });
const detail = (path: string, pid = '77', node = 'node-01') =>
  symptom({ symptom: 'oom-kill-detail', node, ruleRole: 'confirmation', captures: { pid, path } });

function roleOf(
  details: readonly ReturnType<typeof detail>[],
  seen = kill('77'),
  jobId: string | null = '4242',
) {
  return othersMemory.run([seen, ...details], reasoningContext({ jobId }))[0]?.role;
}

test('a service that reached its own limit is not the job', () => {
  assert.equal(roleOf([detail('/system.slice/nvidia-dcgm.service')]), 'context');
  assert.equal(roleOf([detail('/system.slice/system-agent.slice/agent@1.service')]), 'context');
});

test('nor is another job on the node', () => {
  assert.equal(roleOf([detail('/slurm/uid_1001/job_999')]), 'context');
  assert.equal(roleOf([detail('/system.slice/slurmstepd.scope/job_999/step_0/user')]), 'context');
});

test('the job itself, a container, a session and a group nobody knows may be', () => {
  const own = ['/slurm/uid_1001/job_4242/step_0', '/system.slice/slurmstepd.scope/job_4242/step_0'];
  for (const path of [
    ...own,
    '/system.slice/docker-1f3a.scope',
    '/kubepods.slice/pod1',
    '/user.slice/user-1001.slice',
  ]) {
    assert.equal(roleOf([detail(path)]), 'unknown', path);
  }
  assert.equal(roleOf([detail('/slurm/uid_1001/job_999')], kill('77'), null), 'unknown');
});

test('only the process that was ended counts, and every one of them', () => {
  assert.equal(roleOf([detail('/system.slice/a.service', '78')]), 'unknown');
  assert.equal(roleOf([detail('/system.slice/a.service', '77', 'node-02')]), 'unknown');
  const two = {
    ...kill('77'),
    count: 2,
    observations: [...kill('77').observations, ...kill('78').observations],
  };
  assert.equal(roleOf([detail('/system.slice/a.service')], two), 'unknown');
  assert.equal(roleOf([detail('/system.slice/a.service'), detail('/slurm/job_9', '78')], two), 'context');
  assert.equal(roleOf([detail('/system.slice/a.service')], { ...kill('77'), count: 9 }), 'unknown');
});
