import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import type { Located } from '../../core/ports.ts';
import type { Symptom } from '../../core/symptom.ts';
import { nodesAllocated, ownJobId } from './own-job.ts';

const askedFor = (workloadId: string) => ({ ...reasoningContext().request, workloadId });
const knows = (job: string | null): Located => ({
  source: 'files',
  nodes: [],
  nodesFrom: 'evidence',
  jobStart: null,
  jobEnd: null,
  jobLastStamp: null,
  said: '',
  job,
});
const told = (job: string, nodes?: string): Symptom =>
  symptom({
    symptom: 'job-told-of',
    origin: 'scheduler',
    ruleRole: 'placement',
    captures: nodes === undefined ? { job } : { job, nodes },
  });
const printed = (captures: Readonly<Record<string, string>>): Symptom =>
  symptom({ symptom: 'cancelled', origin: 'job', captures });
const lines = [told('5'), told('6')];

test('the job asked about is the job, with its array tasks and components', () => {
  assert.equal(ownJobId(askedFor('7'), [knows('5')], lines), '7');
  assert.equal(ownJobId(askedFor('7_3'), [], lines), '7');
  assert.equal(ownJobId(askedFor('train-a'), [knows('5')], lines), null);
});

test('else it is the one that a source knows, then the one that its own text names', () => {
  assert.equal(ownJobId(askedFor(''), [knows('5'), knows(null)], [...lines, printed({ job: '6' })]), '5');
  assert.equal(ownJobId(askedFor(''), [knows(null)], [...lines, printed({ step: '6.0' })]), '6');
});

test('else it is the only one that the scheduler tells of', () => {
  assert.equal(ownJobId(askedFor(''), [], [told('5'), told('5', 'node-01')]), '5');
  assert.equal(ownJobId(askedFor(''), [], lines), null);
  assert.equal(ownJobId(askedFor(''), [], []), null);
});

test('two that are named leave it open', () => {
  assert.equal(ownJobId(askedFor(''), [knows('5'), knows('6')], lines), null);
  assert.equal(ownJobId(askedFor(''), [], [printed({ job: '5' }), printed({ job: '6' })]), null);
});

const names = (jobId: string | null, symptoms: readonly Symptom[]) =>
  nodesAllocated(jobId, symptoms).map(({ name }) => name);

test('a job has the nodes that the scheduler gave to it, and to no other', () => {
  const seen = [told('5', 'node-[01-02]'), told('6', 'node-[07-08]'), told('55', 'node-09')];
  assert.deepEqual(names('5', seen), ['node-01', 'node-02']);
  assert.deepEqual(names('7', seen), []);
  assert.deepEqual(names(null, seen), []);
});

test('nodes by other names than those that tell of themselves are not taken', () => {
  const kernel = (node: string) => symptom({ symptom: 'xid-79', node });
  assert.deepEqual(names('5', [told('5', 'node-01'), kernel('ip-10-0-0-1')]), []);
  assert.deepEqual(names('5', [told('5', 'node-01'), kernel('ip-10-0-0-1'), kernel('node-01.example')]), [
    'node-01',
  ]);
});
