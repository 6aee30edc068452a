import { createHash } from 'node:crypto';
import type { Episode, HistoryRow, HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import { clearanceOf } from '../storage/clearance.ts';
import type { PostgresDatabase } from '../storage/postgres/database.ts';
import type { PostgresStatement, PostgresValue } from '../storage/postgres/values.ts';
import { mostRows } from './episode-rows.ts';
import { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts';
import { deviceKey, episodeKey } from './row-key.ts';
import { storableTime } from './storable-time.ts';
import { columnsOf, filterValues, rowOf } from './stored-row.ts';

export interface PostgresHistoryOptions {
  readonly database: PostgresDatabase;
  readonly clock: Clock;
  readonly limits?: HistoryLimits;
}

/** History in the shared store, which belongs to whoever opened it. Rejects with StorageError. */
export function postgresHistory({
  database,
  clock,
  limits = defaultHistoryLimits,
}: PostgresHistoryOptions): HistoryStore {
  const clearance = clearanceOf(clock);
  const oldest = () => clock.now() - limits.keptNanos;

  /** Replicas that write one episode at once take turns. */
  async function write(episode: Buffer, statements: readonly PostgresStatement[]): Promise<void> {
    const clears = clearance.isDue()
      ? [statement(forgetOld, oldest()), statement(forgetBeyond, limits.rows)]
      : [];
    const results = await database.run([
      statement(takeTurn, episode.readBigInt64BE()),
      ...statements,
      ...clears,
    ]);
    if (clears.length > 0)
      clearance.done(results.slice(-clears.length).some(({ changes }) => changes >= forgottenAtOnce));
  }

  return {
    async record(episode, rows) {
      const key = hashOf(episodeKey(episode));
      await write(key, [
        statement(forgetEpisode, key),
        statement(insert, ...arraysOf(episode, rows, clock.now())),
      ]);
    },
    async add(episode, rows, explained) {
      const key = hashOf(episodeKey(episode));
      const recordedAt = clock.now();
      await write(key, [
        statement(
          forgetExplained,
          key,
          explained.map(({ node }) => node),
          explained.map(({ device }) => device),
          explained.map(({ symptom }) => symptom),
        ),
        statement(insertStronger, ...arraysOf(episode, rows, recordedAt)),
        statement(forgetOverfull, key, mostRows),
        statement(keepTogether, key, recordedAt),
      ]);
    },
    async find({ cluster, nodes, uuids, from, to, limit, only }) {
      const [found] = await database.run([
        statement(
          select,
          storableTime(from),
          storableTime(to),
          oldest(),
          uuids,
          cluster,
          nodes,
          limit,
          ...filterValues(only),
        ),
      ]);
      return (found?.rows ?? []).map(rowOf);
    },
    close: () => Promise.resolve(),
  };
}

function statement(sql: string, ...values: PostgresValue[]): PostgresStatement {
  return { sql, values };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** One array a column: a broad failure's 2,000 rows are one statement. Of two rows of one device the later stands. */
function arraysOf(episode: Episode, rows: readonly HistoryRow[], recordedAt: bigint): readonly PostgresValue[] {
  const key = episodeKey(episode);
  const { cluster, workloadId, workflowId, attemptIndex } = episode;
  const byHash = new Map(
    rows.map(row => {
      const hash = hashOf(JSON.stringify([key, row.node, deviceKey(row)]));
      return [hash.toString('hex'), { hash, columns: columnsOf(row) }];
    }),
  );
  const kept = [...byHash.values()];
  const columns = Array.from({ length: columnCount }, (_, at) =>
    kept.map(({ columns }) => columns[at] ?? null),
  );
  return [
    hashOf(key),
    cluster,
    workloadId,
    workflowId,
    attemptIndex,
    recordedAt,
    kept.map(({ hash }) => hash),
    ...columns,
  ];
}

const columnCount = 11;

/** Recording never waits for a great clearance, and replicas clear side by side. */
const forgottenAtOnce = 2_000;
const forgetOld = `DELETE FROM history WHERE row_hash IN (
  SELECT row_hash FROM history WHERE recorded_at <= $1 ORDER BY recorded_at LIMIT ${forgottenAtOnce}
  FOR UPDATE SKIP LOCKED)`;
const forgetBeyond = `DELETE FROM history WHERE row_hash IN (
  SELECT row_hash FROM history ORDER BY recorded_at DESC, row_hash LIMIT ${forgottenAtOnce} OFFSET $1
  FOR UPDATE SKIP LOCKED)`;
const takeTurn = 'SELECT pg_advisory_xact_lock($1)::text AS turn';
const forgetEpisode = 'DELETE FROM history WHERE episode = $1';
const insert = `INSERT INTO history
  SELECT row.hash, $1::bytea, $2::text, $3::text, $4::text, $5::bigint, row.node, row.device, row.uuid, row.pci,
    row.symptom, row.code, row.title, row.strength, row.alike, row.finding, row.at, $6::bigint
  FROM unnest($7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
    $15::text[], $16::bigint[], $17::text[], $18::bigint[])
    AS row (hash, node, device, uuid, pci, symptom, code, title, strength, alike, finding, at)`;
const forgetExplained = `DELETE FROM history WHERE episode = $1 AND (node, device, symptom) IN (
  SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`;
/** Less is more telling. */
const weight = (row: 'history' | 'excluded'): string =>
  `(${row}.finding IS NULL, coalesce(${row}.strength, 'S9') COLLATE "C")`;
const insertStronger = `${insert}
  ON CONFLICT (row_hash) DO UPDATE SET uuid = excluded.uuid, pci = excluded.pci, symptom = excluded.symptom,
    code = excluded.code, title = excluded.title, strength = excluded.strength, alike = excluded.alike,
    finding = excluded.finding, at = excluded.at, recorded_at = excluded.recorded_at
  WHERE ${weight('history')} >= ${weight('excluded')}`;
const forgetOverfull = `DELETE FROM history WHERE row_hash IN (
  SELECT row_hash FROM history WHERE episode = $1 ORDER BY recorded_at DESC, row_hash OFFSET $2::bigint)`;
/** An episode grows old as one. */
const keepTogether = 'UPDATE history SET recorded_at = $2::bigint WHERE episode = $1';
/** The beginnings are what the indexes hold. */
const select = `SELECT * FROM history
  WHERE at >= $1::bigint AND at < $2::bigint AND recorded_at > $3::bigint
    AND ((left(uuid, 255) IN (SELECT left(name, 255) FROM unnest($4::text[]) AS name) AND uuid = ANY ($4::text[]))
      OR (($5::text IS NULL OR cluster = $5::text)
        AND ($6::text[] IS NULL
          OR (left(node, 255) IN (SELECT left(name, 255) FROM unnest($6::text[]) AS name)
            AND node = ANY ($6::text[])))))
    AND ($8::text IS NULL OR workload_id = $8::text) AND ($9::text IS NULL OR workflow_id = $9::text)
    AND ($10::text IS NULL OR uuid = $10::text OR pci = $10::text) AND ($11::bigint = 0 OR finding IS NOT NULL)
    AND ($12::bigint IS NULL OR at < $12::bigint OR (at = $12::bigint AND
      (node, device, cluster, workload_id, workflow_id, attempt_index)
        > ($13::text, $14::text, $15::text, $16::text, $17::text, $18::bigint)))
  ORDER BY at DESC, node, device, cluster, workload_id, workflow_id, attempt_index LIMIT $7::bigint`;
