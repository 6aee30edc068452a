import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import { pointOf } from './points.ts';

test('a stamp is a time that a datetime can say', () => {
  assert.deepEqual(pointOf([1_796_126_400.5, '12']), { nanos: 1_796_126_400_500_000_000n, value: 12 });
  for (const seconds of [
    -1,
    253_402_300_800,
    1e18,
    1e308,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '1796126400',
  ]) {
    assert.equal(pointOf([seconds, '12']), null, String(seconds));
  }
  const last = pointOf([253_402_300_799, '12']);
  assert.ok(last !== null);
  assert.equal(formatNanos(last.nanos), '9999-12-31T23:59:59Z');
});
