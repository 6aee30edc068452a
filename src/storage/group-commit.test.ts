import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { describeFault } from './describe-fault.ts';
import { groupCommit } from './group-commit.ts';
import type { Unit } from './statement.ts';

function scratch(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB) STRICT');
  return database;
}

const insert = (id: number | bigint, size = 1): Unit => [
  { sql: 'INSERT INTO t VALUES (?, ?)', values: [id, new Uint8Array(size)] },
];
const ids = (database: DatabaseSync): unknown[] =>
  database
    .prepare('SELECT id FROM t ORDER BY id')
    .all()
    .map(row => row['id']);

test('a unit that fails is undone alone, all of it, and the others of its group stand', () => {
  const database = scratch();
  const outcomes = groupCommit(database).run([insert(1), [...insert(2), ...insert(1)], insert(3)]);
  assert.deepEqual(
    outcomes.map(outcome => outcome.ok),
    [true, false, true],
  );
  assert.deepEqual(ids(database), [1, 3]);
});

test('a unit reads what the units before it wrote, with integers beyond 2^53 whole', () => {
  const database = scratch();
  const [, read] = groupCommit(database).run([
    insert(9_007_199_254_740_993n),
    [{ sql: 'SELECT id FROM t', values: [] }],
  ]);
  assert.deepEqual(read, { ok: true, results: [{ rows: [{ id: 9_007_199_254_740_993n }], changes: 0 }] });
});

test('a full disk fails the whole group, says so, and leaves the store usable', () => {
  const database = scratch();
  database.exec('PRAGMA max_page_count = 8');
  const commit = groupCommit(database);
  const outcomes = commit.run([insert(1), insert(2, 200_000)]);
  assert.deepEqual(
    outcomes.map(outcome => outcome.ok),
    [false, false],
  );
  const error = outcomes[0]?.ok === false ? outcomes[0].error : null;
  const { fault, message } = describeFault(error, '/var/lib/x/state.db');
  assert.equal(fault, 'full');
  assert.match(message, /\/var\/lib\/x\/state\.db.*no space is left/);
  assert.equal(commit.run([insert(3)])[0]?.ok, true);
  assert.deepEqual(ids(database), [3]);
});

test('a store that cannot be written says read-only', () => {
  const database = scratch();
  database.exec('PRAGMA query_only = 1');
  const [outcome] = groupCommit(database).run([insert(1)]);
  assert.equal(outcome?.ok, false);
  assert.equal(outcome?.ok === false && describeFault(outcome.error, 'f').fault, 'read_only');
});
