import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import { otherJobsWord } from './other-jobs-word.ts';

const nobodyKnown = reasoningContext({ scopeGiven: false });
const lost = (job: string | null, node: string | null = 'node-07') =>
  symptom({
    symptom: 'job-node-fail',
    origin: 'scheduler',
    stream: 'scheduler/ctld',
    node,
    at: -5,
    captures: job === null ? {} : { job },
  });

function roleOf(seen: ReturnType<typeof lost>, context = nobodyKnown) {
  return otherJobsWord.run([seen], context)[0]?.role;
}

test('what the scheduler says of another job is context, with or without a node', () => {
  assert.equal(roleOf(lost('777')), 'context');
  assert.equal(roleOf(lost('777', null)), 'context');
});

test('what it says of the job, of its steps, or of no job at all is not', () => {
  for (const job of ['4242', '4242.0', '4242_7', null]) assert.equal(roleOf(lost(job)), 'unknown', `${job}`);
});

test('a node of the job that failed under another job failed', () => {
  assert.equal(roleOf(lost('777', 'node-01'), reasoningContext()), 'unknown');
});

test('a workload that is not named by a number is not told from jobs that are', () => {
  const context = reasoningContext({ scopeGiven: false, jobId: null });
  assert.equal(roleOf(lost('777'), context), 'unknown');
});

const told = (job: string, stream = 'scheduler/ctld') =>
  symptom({ symptom: 'job-told-of', origin: 'scheduler', stream, ruleRole: 'placement', captures: { job } });
const whichIsMeant = reasoningContext({ scopeGiven: false, jobId: null });

test('where several jobs are told of and none is known to be meant, what is said of a node names it not', () => {
  const roleBeside = (context: typeof nobodyKnown, seen = lost('777')) =>
    otherJobsWord.run([seen, told('777'), told('778')], context)[0]?.role;
  assert.equal(roleBeside(whichIsMeant), 'context');
  assert.equal(roleBeside(whichIsMeant, lost(null)), 'context');
  assert.equal(roleBeside({ ...whichIsMeant, jobId: '777' }), 'unknown');
  assert.equal(roleBeside({ ...whichIsMeant, nodesTold: true }), 'unknown');
});

test("a node that other logs are about may be the job's", () => {
  const beside = symptom({ symptom: 'iteration', origin: 'job', node: 'node-07', ruleRole: 'progress' });
  assert.equal(otherJobsWord.run([lost('777'), told('778'), beside], whichIsMeant)[0]?.role, 'unknown');
});

test('a log that tells of no other job is not in doubt', () => {
  const other = told('778', 'scheduler/other');
  assert.equal(otherJobsWord.run([lost('777'), other], whichIsMeant)[0]?.role, 'unknown');
});

test('one line of the job among those of others counts', () => {
  const [ours, theirs] = [lost('4242'), lost('777')];
  const both = { ...ours, observations: [...ours.observations, ...theirs.observations] };
  assert.equal(roleOf(both), 'unknown');
});
