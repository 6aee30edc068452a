import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorType } from '../contract/index.ts';
import { graver } from './problem.ts';

const order: readonly ErrorType[] = [
  'service_error',
  'no_attribution_available',
  'timeout',
  'insufficient_telemetry',
];

test('the graver of two problems is told, whichever came first, and any problem outweighs none', () => {
  for (const [at, type] of order.entries()) {
    const problem = { type, message: 'x' };
    assert.equal(graver(problem, null), problem);
    assert.equal(graver(null, problem), problem);
    for (const lesser of order.slice(at + 1)) {
      const other = { type: lesser, message: 'y' };
      assert.equal(graver(problem, other), problem);
      assert.equal(graver(other, problem), problem);
    }
  }
  assert.equal(graver(null, null), null);
});
