import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  reasoningContext,
  secondsFromFailure,
  symptom,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';
import { outsideWindow } from './outside-window.ts';

const context = reasoningContext({ window: [-900, 120] });

test('before and after the windows is context', () => {
  const [early, late, inside] = outsideWindow.run(
    [xid(79, 'node-01', -1000), xid(79, 'node-02', 200), xid(79, 'node-03', -899)],
    context,
  );
  assert.equal(early?.role, 'context');
  assert.equal(late?.role, 'context');
  assert.equal(inside?.reason, null);
});

test('what began before the window and was seen in it begins in it', () => {
  const [spanning] = outsideWindow.run([xid(79, 'node-01', -1000, { until: -100 })], context);
  assert.equal(spanning?.reason, null);
  assert.equal(spanning?.first.nanos, secondsFromFailure(-100));
  assert.equal(spanning?.observations.length, 1);
});

test('states that last and health checks stay', () => {
  const check = symptom({ symptom: 'gpu-lost', node: 'node-01', at: 400, origin: 'health', strength: 'S2' });
  for (const kept of [xid(79, 'node-01', -1000, { lasts: true }), check]) {
    assert.equal(outsideWindow.run([kept], context)[0]?.reason, null);
  }
});

test('where only an undated time-out tells how long a collective was stuck, what came about then stays', () => {
  const undated = watchdog(0, null, { captures: { running_ms: '1800000' } });
  const [, around, before] = outsideWindow.run(
    [undated, xid(79, 'node-01', -1850), xid(79, 'node-02', -2200)],
    context,
  );
  assert.equal(around?.reason, null);
  assert.equal(before?.role, 'context');
});

test('a time-out dated by the stamp before it may have been written as much later as the collective ran', () => {
  const dated = { basis: 'file_order', clock: 'files:job#lines', stream: 'job/out' } as const;
  const [stuck, fault] = outsideWindow.run(
    [
      watchdog(0, -1850, { ...dated, captures: { running_ms: '1800000' } }),
      xid(79, 'node-01', -1845),
      watchdog(1, -1850, { ...dated, captures: { running_ms: '5000' } }),
    ],
    context,
  );
  assert.equal(stuck?.reason, null);
  assert.equal(fault?.reason, null);
  const [early] = outsideWindow.run(
    [watchdog(1, -1850, { ...dated, captures: { running_ms: '5000' } })],
    context,
  );
  assert.equal(early?.role, 'context');
});

test('undated symptoms stay', () => {
  assert.equal(outsideWindow.run([xid(79, 'node-01', null)], context)[0]?.reason, null);
});

test('a collective that got stuck before the window moves its beginning', () => {
  const stuck = watchdog(0, -5, { captures: { running_ms: '1800000' } });
  const judged = (at: number) => outsideWindow.run([xid(79, 'node-01', at), stuck], context)[0]?.reason ?? null;
  assert.equal(judged(-1810), null);
  assert.notEqual(judged(-2200), null);
  const long = watchdog(0, -1000, { captures: { running_ms: '1800000' } });
  const [before] = outsideWindow.run([xid(79, 'node-01', -1810), long], context);
  assert.equal(before?.role, 'context', 'the collective of an earlier run');
});

test('what had consequences in the windows by another clock is of this failure', () => {
  const inhibits = [{ symptoms: ['own-ecc'], scope: 'device', withinSeconds: 600 }] as const;
  const fault = xid(48, 'node-01', 240, { inhibits });
  const told = (node: string) => symptom({ symptom: 'own-ecc', node, at: -20, origin: 'job', strength: 'S2' });
  assert.equal(outsideWindow.run([fault, told('node-01')], context)[0]?.reason, null);
  assert.equal(outsideWindow.run([fault, told('node-02')], context)[0]?.role, 'context');
});

test('what explains a fault by the same wrong clock is of this failure as well', () => {
  const own = { symptoms: ['own-ecc'], scope: 'device', withinSeconds: 600 } as const;
  const fault = xid(95, 'node-01', 240, { inhibits: [own] });
  const cause = (device: string) =>
    xid(144, 'node-01', 239, {
      device,
      strength: 'S4',
      inhibits: [{ symptoms: ['xid-95'], scope: 'device', withinSeconds: 300 }],
    });
  const told = symptom({ symptom: 'own-ecc', node: 'node-01', at: -20, origin: 'job', strength: 'S2' });
  assert.equal(outsideWindow.run([cause('0000:b3:00'), fault, told], context)[0]?.reason, null);
  assert.equal(outsideWindow.run([cause('0000:c3:00'), fault, told], context)[0]?.role, 'context');
  assert.equal(outsideWindow.run([cause('0000:b3:00'), fault], context)[0]?.role, 'context');
});

test('where nobody knows when the job began, a health check from long before the windows is not about it', () => {
  const roleOf = (origin: 'health' | 'scheduler', jobStart: number | null) => {
    const context = reasoningContext({ window: [-900, 120], jobStart });
    return outsideWindow.run([xid(79, 'node-01', -86_400, { lasts: true, origin })], context)[0]?.role;
  };
  assert.equal(roleOf('health', null), 'context');
  assert.notEqual(roleOf('scheduler', null), 'context');
  assert.notEqual(roleOf('health', -90_000), 'context');
});
