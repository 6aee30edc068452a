import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { killServices } from '../../bench/faults/kill-services.ts';
import type { KillsResult } from '../../bench/faults/kill-writers.ts';
import { killsOnPostgres, killsOnSqlite } from '../../bench/faults/kills-on-stores.ts';
import { openStoresAt } from '../../bench/faults/stores-at.ts';
import { isThere, kinds, write } from '../../bench/faults/written.ts';
import { postgresPrograms } from '../support/postgres-cluster.ts';
import { temporaryFolder } from '../support/service.ts';

/** The whole of it, a thousand kills a store, is `make crash`. */
const kills = 25;
const programs = postgresPrograms();
const onPostgres = { skip: programs === null && 'PostgreSQL cannot be installed here' };

function assertWhole({ lost, corrupt, acknowledged }: KillsResult): void {
  assert.deepEqual({ lost, corrupt }, { lost: [], corrupt: [] });
  assert.ok(acknowledged > 0, 'nothing was acknowledged before a kill');
}

test('what is looked for is found where it was written, and only there', async context => {
  const stores = await openStoresAt({
    kind: 'sqlite',
    file: join(temporaryFolder(context), 's', 'state.sqlite'),
  });
  for (const kind of kinds) {
    assert.equal(await isThere(stores, kind, 'a'), false, kind);
    await write(stores, kind, 'a');
    assert.equal(await isThere(stores, kind, 'a'), true, kind);
  }
  await stores.database.close();
});

test('SQLite: nothing acknowledged is lost by kills at random moments, and the file stays whole', async () => {
  assertWhole(await killsOnSqlite(kills, Math.random));
});

test('PostgreSQL: nothing acknowledged is lost by kills of writers, or of the server', onPostgres, async () => {
  const result = await killsOnPostgres(programs ?? '', kills, Math.random);
  assertWhole(result);
  // Each twentieth kill, and the last.
  assert.equal(result.disasters, 2);
});

test('a service that is killed while it answers loses no session it told of, on SQLite', async () => {
  assert.deepEqual((await killServices(null, 2, Math.random)).lost, []);
});

test(
  'a service that is killed while it answers loses no session it told of, on PostgreSQL',
  onPostgres,
  async () => {
    assert.deepEqual((await killServices(programs, 2, Math.random)).lost, []);
  },
);
