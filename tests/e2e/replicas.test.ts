import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckedPairs, pairsOnPostgres, pairsOnSqlite } from '../../bench/faults/pairs-on-stores.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';

/** The whole of it, a thousand pairs, is `make replicas`. */
const size = { pairs: 60, atOnce: 6 };
const programs = postgresPrograms();

function assertWhole({ pairs, wrong, lost }: CheckedPairs): void {
  assert.deepEqual({ pairs: pairs.length, wrong, lost }, { pairs: size.pairs, wrong: [], lost: [] });
}

test('two replicas on one PostgreSQL, one killed in the middle: every session continues, of two slow calls at once none is lost', {
  skip: programs === null && 'PostgreSQL cannot be installed here',
}, async () => {
  const result = await pairsOnPostgres(programs ?? '', size);
  assertWhole(result);
  assert.ok(result.crossed > 0, 'no pair crossed replicas');
});

test('one process on SQLite, killed in the middle: every session continues, of two slow calls at once none is lost', async () => {
  assertWhole(await pairsOnSqlite(size));
});
