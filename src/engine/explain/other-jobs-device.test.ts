import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placement, reasoningContext, xid } from '../../../tests/support/symptoms.ts';
import { otherJobsDevice } from './other-jobs-device.ts';

const context = reasoningContext();
const given = (job: string, gpu: string) =>
  placement(0, 'node-01', {
    origin: 'scheduler',
    rank: null,
    captures: { job, gpu },
    stream: `scheduler ${job}`,
  });
const fault = (device: number | string) => xid(79, 'node-01', 0, { device });

test('a GPU that the scheduler gave to another job is context', () => {
  const [, theirs] = otherJobsDevice.run([given('777', '4-6,7'), fault(7)], context);
  assert.equal(theirs?.role, 'context');
});

test("the job's own GPUs count, those of its steps too, and all others do not", () => {
  const [, ours, theirs] = otherJobsDevice.run([given('4242.0', '0-3'), fault(3), fault(4)], context);
  assert.equal(ours?.reason, null);
  assert.equal(theirs?.role, 'context');
});

test('an unknown index, another node, or job text decide nothing', () => {
  const text = placement(0, 'node-01', { rank: null, captures: { job: '777', gpu: '0-7' } });
  assert.equal(otherJobsDevice.run([text, fault(7)], context)[1]?.reason, null);
  assert.equal(otherJobsDevice.run([given('777', '0-7'), fault('0000:b3:00')], context)[1]?.reason, null);
  assert.equal(
    otherJobsDevice.run([given('777', '0-7'), xid(79, 'node-02', 0, { device: 7 })], context)[1]?.reason,
    null,
  );
});
