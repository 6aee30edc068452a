import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SampleMatch } from '../corpus/rule.ts';
import { matchSeries } from './match-samples.ts';

const none: SampleMatch = {
  kind: 'sample',
  metrics: ['m'],
  changed: false,
  to: [],
  increasedBy: null,
  above: null,
  below: null,
  awayFromMedianBy: null,
};
const at = (condition: Partial<SampleMatch>, ...values: readonly number[]): number | null =>
  matchSeries({ ...none, ...condition }, values, 0);

test('a value that was there from the start has not changed', () => {
  assert.equal(at({ changed: true }, 79, 79, 79), null);
  assert.equal(at({ changed: true }, 0, 0, 79), 2);
  assert.equal(at({ changed: true }, 0, 79, 0), null, 'back at nought');
});

test('a change to one of some values counts even where others came before and after it', () => {
  const codes = { changed: true, to: [79, 48] };
  assert.equal(at(codes, 0, 31, 79, 45), 2);
  assert.equal(at(codes, 0, 31, 45), null);
  assert.equal(at(codes, 79, 79), null, 'left over from before');
  assert.equal(at(codes, Number.NaN, 0, 48), 2);
});

test('counters that are reset count what they gained', () => {
  assert.equal(at({ increasedBy: 2 }, 5, 0, 1, 2), 3);
  assert.equal(at({ increasedBy: 2 }, 5, 0, 1), null);
});

test('bounds are exceeded, not reached', () => {
  assert.equal(at({ above: 63 }, 4, 63, 72), 2);
  assert.equal(at({ below: 10 }, 10, 9), 1);
});
