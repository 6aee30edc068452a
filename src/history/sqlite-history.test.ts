import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import {
  episodeOf,
  historyReplicasSuite,
  historyRow,
  historyStoreSuite,
} from '../../tests/support/history-store-suite.ts';
import { temporaryFolder } from '../../tests/support/service.ts';
import { openDatabase } from '../storage/database.ts';
import { sqliteHistory } from './sqlite-history.ts';

historyStoreSuite('SQLite history', async (clock, limits) => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const database = await openDatabase({ file: join(folder, 'state.sqlite') });
  return {
    store: sqliteHistory({ database, clock, limits }),
    async close() {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});

historyReplicasSuite('SQLite history', async clock => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const file = join(folder, 'state.sqlite');
  const databases = [await openDatabase({ file }), await openDatabase({ file })];
  return {
    stores: databases.map(database => sqliteHistory({ database, clock })),
    async close() {
      await Promise.all(databases.map(database => database.close()));
      rmSync(folder, { recursive: true });
    },
  };
});

test('SQLite history: rows survive a restart', async context => {
  const file = join(temporaryFolder(context), 'state.sqlite');
  const clock = fakeClock();
  const episode = episodeOf('a');
  const first = await openDatabase({ file });
  await sqliteHistory({ database: first, clock }).record(episode, [historyRow(episode)]);
  await first.close();
  const second = await openDatabase({ file });
  const found = await sqliteHistory({ database: second, clock }).find({
    cluster: null,
    nodes: ['node-01'],
    uuids: [],
    from: 0n,
    to: 1_800_000_000_000_000_000n,
    limit: 10,
  });
  await second.close();
  assert.deepEqual(found, [historyRow(episode)]);
});
