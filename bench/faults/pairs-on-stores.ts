import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseSessionStore } from '../../src/sessions/database-store.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/postgres/database.ts';
import type { PostgresSettings } from '../../src/storage/postgres/settings.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { startPostgres } from '../../tests/support/postgres-cluster.ts';
import { type RunningService, startService } from '../../tests/support/service.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import { jobOf, writeEvidence } from './jobs.ts';
import { lostAnswers, type Pair, type PairsResult, runPairs } from './run-pairs.ts';
import { startBalancer } from './tcp-balancer.ts';

export interface PairsSize {
  readonly pairs: number;
  readonly atOnce: number;
}

export interface CheckedPairs extends PairsResult {
  readonly lost: readonly string[];
}

/** Two replicas on one server behind a balancer; one is killed in the middle and comes back. */
export async function pairsOnPostgres(programs: string, size: PairsSize): Promise<CheckedPairs> {
  const cluster = await startPostgres(programs, { isDurable: true });
  try {
    return await inFolder(async folder => {
      const postgres = cluster.database();
      const { jobs, start } = prepare(folder, size, { sessions: { store: 'postgres' }, postgres });
      const replicas = await Promise.all([start(), start()]);
      const balancer = await startBalancer(() => replicas.map(portOf));
      try {
        const result = await runPairs({
          ...size,
          jobs,
          port: () => balancer.port,
          replicaOf: balancer.targetOf,
          async halfway() {
            await replicas[0].kill();
            replicas[0] = await start();
          },
        });
        const lost = await lostOn({ postgres }, result.pairs);
        return { ...result, lost };
      } finally {
        await balancer.close();
        await Promise.all(replicas.map(replica => replica.kill()));
      }
    });
  } finally {
    await cluster.close();
  }
}

/** One process; it is killed in the middle and comes back. */
export function pairsOnSqlite(size: PairsSize): Promise<CheckedPairs> {
  return inFolder(async folder => {
    const state = join(folder, 'state');
    const { jobs, start } = prepare(folder, size, { state });
    let service = await start();
    try {
      const result = await runPairs({
        ...size,
        jobs,
        port: () => portOf(service),
        replicaOf: () => 0,
        async halfway() {
          await service.kill();
          service = await start();
        },
      });
      await service.stop();
      const lost = await lostOn({ state }, result.pairs);
      return { ...result, lost };
    } finally {
      await service.kill();
    }
  });
}

/** Jobs with their evidence, and how a service that reads it is started. */
export function prepare(folder: string, { pairs }: PairsSize, settings: object) {
  const jobs = Array.from({ length: pairs }, (_, at) => jobOf(at));
  const sources = [writeEvidence(join(folder, 'logs'), jobs)];
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({ ...settings, sources, log: { level: 'warn' }, rules: { workers: 1 } }),
  );
  return { jobs, start: () => startService([], { ATTRIBUTION_CONFIG: config }) };
}

/** The folder of the embedded store, or the shared one. */
type Where = { readonly state: string } | { readonly postgres: PostgresSettings };

/** Opens the store that services left, and looks for what they acknowledged. */
export async function lostOn(where: Where, pairs: readonly Pair[]): Promise<readonly string[]> {
  const database: Database =
    'state' in where
      ? await openDatabase({ file: join(where.state, 'state.sqlite') })
      : await openPostgres(where.postgres);
  try {
    return await lostAnswers(databaseSessionStore({ database, clock: systemClock, log: silentLog }), pairs);
  } finally {
    await database.close();
  }
}

export function portOf({ url }: RunningService): number {
  return Number(new URL(url).port);
}

export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-pairs-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
