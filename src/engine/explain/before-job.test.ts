import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, secondsFromFailure, symptom, xid } from '../../../tests/support/symptoms.ts';
import { beforeJob } from './before-job.ts';

const context = reasoningContext({ jobStart: -300 });

test('a fault before the start is context', () => {
  assert.equal(beforeJob.run([xid(79, 'node-01', -400)], context)[0]?.role, 'context');
});

test('a fault that may lie after the start is not', () => {
  const skewed = xid(79, 'node-01', -310, { plusMinusMs: 30_000 });
  assert.equal(beforeJob.run([skewed], context)[0]?.reason, null);
  assert.equal(beforeJob.run([xid(79, 'node-01', null)], context)[0]?.reason, null);
});

test('a fault that came back counts from then on', () => {
  const [again] = beforeJob.run([xid(79, 'node-01', -400, { until: -20 })], context);
  assert.equal(again?.reason, null);
  assert.equal(again?.first.nanos, secondsFromFailure(-20));
});

test('a state that lasts counts whenever it began', () => {
  const [missing] = beforeJob.run([xid(79, 'node-01', -400, { lasts: true })], context);
  assert.equal(missing?.reason, null);
  assert.equal(missing?.first.nanos, secondsFromFailure(-400));
});

test('what a health check found before the job is of that time, unless it ran for the job or again', () => {
  const check = (at: number, until = at) =>
    beforeJob.run([xid(79, 'node-01', at, { lasts: true, until, origin: 'health' })], context)[0]?.role;
  assert.equal(check(-86_400), 'context');
  assert.notEqual(check(-320), 'context');
  assert.notEqual(check(-86_400, 30), 'context');
});

test('what the scheduler says of a node before its log gives it to the job is context, by the clock of that log', () => {
  const scheduler = { origin: 'scheduler', stream: 'scheduler/ctld' } as const;
  const lost = (at: number) => symptom({ symptom: 'node-down', node: 'node-02', at, ...scheduler });
  const captures = { job: '4242', nodes: 'node-[01-04]' };
  const given = symptom({ symptom: 'job-told-of', at: -600, ruleRole: 'placement', captures, ...scheduler });
  const undated = reasoningContext({ jobStart: null });
  const roleOf = (seen: ReturnType<typeof lost>, beside = [given]) =>
    beforeJob.run([seen, ...beside], undated)[0]?.role;
  assert.equal(roleOf(lost(-900)), 'context');
  assert.equal(roleOf(lost(-300)), 'unknown');
  assert.equal(roleOf(lost(-900), []), 'unknown');
  assert.equal(roleOf({ ...lost(-900), lasts: true }), 'unknown');
});
