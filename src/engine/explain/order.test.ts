import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symptom } from '../../../tests/support/symptoms.ts';
import { certainlyAfter, earliestOf, shifted } from './order.ts';

const seen = (at: number | null, rest = {}) => symptom({ symptom: 'x', at, ...rest });
const first = (at: number | null, rest = {}) => seen(at, rest).first;

test('uncertainty of two clocks leaves the order open, one clock is exact', () => {
  const skewed = { plusMinusMs: 5000 };
  assert.equal(certainlyAfter(first(8, { clock: 'b' }), first(0, { clock: 'a' })), true);
  assert.equal(certainlyAfter(first(8, { clock: 'b', ...skewed }), first(0, { clock: 'a', ...skewed })), false);
  assert.equal(certainlyAfter(first(0.001, skewed), first(0, skewed)), true);
});

test('by how much counts beyond the uncertainty', () => {
  assert.equal(certainlyAfter(first(60, { clock: 'b' }), first(0, { clock: 'a' }), 59_000), true);
  assert.equal(certainlyAfter(first(60, { clock: 'b' }), first(0, { clock: 'a' }), 59_900), false);
  assert.equal(certainlyAfter(first(60), first(0), 59_999), true);
});

test('lines of one file without stamps are ordered, those of two are not', () => {
  const line = (number: number, clock: string) => first(null, { line: number, clock });
  assert.equal(certainlyAfter(line(9, 'a'), line(3, 'a')), true);
  assert.equal(certainlyAfter(line(9, 'a'), line(3, 'b')), false);
  assert.equal(certainlyAfter(line(9, 'a'), line(3, 'a'), 1), false);
});

test('undated stamps of one clock that counts time are as far apart as they say, line numbers are not', () => {
  const second = 1_000_000_000;
  const tick = (seconds: number, clock: string) => first(null, { line: seconds * second, clock });
  const boot = 'files:kernel/node-01.log#boot';
  assert.equal(certainlyAfter(tick(190, boot), tick(130, boot), 59_000), true);
  assert.equal(certainlyAfter(tick(190, boot), tick(130, boot), 60_000), false);
  assert.equal(certainlyAfter(tick(130, boot), tick(190, boot), 0), false);
  assert.equal(certainlyAfter(tick(190, boot), tick(130, 'files:kernel/node-02.log#boot'), 59_000), false);
  assert.equal(certainlyAfter(first(190), tick(130, boot)), false);
  const lines = 'files:job/out.log#lines';
  assert.equal(certainlyAfter(tick(190, lines), tick(130, lines)), true);
  assert.equal(certainlyAfter(tick(190, lines), tick(130, lines), 1), false);
});

test('a line dated by the stamp before it may have come much later, except to its own file', () => {
  const unstamped = first(0, { basis: 'file_order', clock: 'files:job#lines' });
  assert.equal(certainlyAfter(first(600, { clock: 'files:kernel#fine' }), unstamped), false);
  assert.equal(certainlyAfter(first(1000, { clock: 'files:kernel#fine' }), unstamped), true);
  assert.equal(certainlyAfter(first(600, { clock: 'files:job#second' }), unstamped), true);
  assert.equal(certainlyAfter(unstamped, first(-10, { clock: 'files:kernel#fine' })), true);
});

test('the earliest is the certain one, else the stronger, whatever the order of the input', () => {
  const strong = seen(0, { clock: 'a', node: 'node-01' });
  const weak = seen(-0.1, { clock: 'b', node: 'node-02', strength: 'S3' });
  const early = seen(-10, { clock: 'b', node: 'node-03', strength: 'S3' });
  assert.equal(earliestOf([weak, strong]), strong);
  assert.equal(earliestOf([strong, weak]), strong);
  assert.equal(earliestOf([strong, early, weak]), early);
  assert.equal(earliestOf([]), undefined);
});

test('a moved instant is no longer exact on its clock', () => {
  assert.equal(
    certainlyAfter(first(0, { plusMinusMs: 1000 }), shifted(first(0, { plusMinusMs: 1000 }), -1)),
    false,
  );
});
