import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { traceback, watchdog, xid } from '../../../tests/support/symptoms.ts';

const ranks = [0, 1, 2, 3];

test('the ranks asked about are all ranks', () => {
  const stuck = ranks.map(rank => watchdog(rank, -4));
  assert.deepEqual(answer(stuck, { ranks }).categories, ['collective_timeout']);
  assert.deepEqual(answer(stuck, { ranks: [...ranks, 4] }).targets, []);
});

test('without the number of ranks nobody knows whether all are stuck', () => {
  assert.deepEqual(answer(ranks.map(rank => watchdog(rank, -4))).targets, []);
});

test('what a node or the program shows comes before', () => {
  const stuck = ranks.map(rank => watchdog(rank, -4));
  assert.deepEqual(answer([...stuck, xid(79, 'node-01', -605)], { ranks }).targets, ['node-01']);
  assert.deepEqual(answer([...stuck, traceback(-605)], { ranks }).categories, ['application_error']);
});

test('another size of one reduction is the program, of a scatter it need not be', () => {
  const sized = (operation: string, elements: string, rank: number) =>
    watchdog(rank, -4, { captures: { operation, elements } });
  const reduce = [sized('ALLREDUCE', '1024', 0), sized('ALLREDUCE', '2048', 1)];
  assert.deepEqual(answer(reduce).categories, ['application_error']);
  assert.deepEqual(answer([sized('SCATTER', '1024', 0), sized('SCATTER', '2048', 1)]).targets, []);
});
