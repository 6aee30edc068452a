import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../tests/support/postgres-cluster.ts';
import { type KillsResult, killWriters } from './kill-writers.ts';
import type { StoresAt } from './stores-at.ts';

/** So many kills go to one store before it is begun anew: what is looked through at the end stays within bounds. */
const killsAStore = 100;

/** Kills of writers to the embedded store. */
export async function killsOnSqlite(kills: number, random: () => number): Promise<KillsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-crash-'));
  try {
    return await inParts(kills, (part, count) =>
      killWriters(
        { kind: 'sqlite', file: join(folder, `${part}`, 'state.sqlite') },
        { kills: count, random, examine: examineSqlite },
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills of writers to the shared store; each twentieth time the server itself is shut down at once instead. */
export async function killsOnPostgres(
  programs: string,
  kills: number,
  random: () => number,
): Promise<KillsResult & { readonly disasters: number }> {
  const cluster = await startPostgres(programs, { isDurable: true });
  let disasters = 0;
  try {
    const result = await inParts(kills, async (_, count) => {
      const settings = cluster.database();
      const done = await killWriters(
        { kind: 'postgres', settings },
        {
          kills: count,
          random,
          examine: async () => [],
          disaster(kill) {
            if (kill % 20 !== 19 && kill !== count - 1) return null;
            disasters += 1;
            return strike;
          },
        },
      );
      return { ...done, corrupt: indexFaults(settings.database) };
    });
    return { ...result, disasters };
  } finally {
    await cluster.close();
  }

  async function strike(): Promise<void> {
    await sleep(random() * 500);
    await cluster.stop('SIGQUIT');
    await cluster.start();
  }

  /** Every index against its table, as amcheck does it; it raises an error at the first fault. */
  function indexFaults(database: string): readonly string[] {
    try {
      cluster.sql('CREATE EXTENSION IF NOT EXISTS amcheck', database);
      cluster.sql(
        `SELECT bt_index_check(index.indexrelid, true) FROM pg_index AS index
          JOIN pg_class AS class ON class.oid = index.indexrelid JOIN pg_am AS am ON am.oid = class.relam
          WHERE am.amname = 'btree' AND class.relnamespace = 'public'::regnamespace`,
        database,
      );
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : 'amcheck failed'];
    }
  }
}

async function examineSqlite({ database }: StoresAt): Promise<readonly string[]> {
  const [result] = await database.run([{ sql: 'PRAGMA integrity_check', values: [] }]);
  const says = (result?.rows ?? []).map(row => String(Object.values(row)[0]));
  return says.filter(line => line !== 'ok');
}

async function inParts(
  kills: number,
  run: (part: number, count: number) => Promise<KillsResult>,
): Promise<KillsResult> {
  const parts: KillsResult[] = [];
  for (let done = 0; done < kills; done += killsAStore) {
    parts.push(await run(parts.length, Math.min(killsAStore, kills - done)));
  }
  const sum = (of: (part: KillsResult) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    kills: sum(part => part.kills),
    early: sum(part => part.early),
    acknowledged: sum(part => part.acknowledged),
    lost: parts.flatMap(part => part.lost),
    corrupt: parts.flatMap(part => part.corrupt),
    openMs: parts.flatMap(part => part.openMs).toSorted((a, b) => a - b),
  };
}
