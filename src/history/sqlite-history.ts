import type { Episode, HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import { clearanceOf } from '../storage/clearance.ts';
import type { Database } from '../storage/database.ts';
import type { SqlValue, Statement } from '../storage/statement.ts';
import { mostRows } from './episode-rows.ts';
import { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts';
import { storableTime } from './storable-time.ts';
import { columnsOf, filterValues, rowOf } from './stored-row.ts';

export interface SqliteHistoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits?: HistoryLimits;
}

/** History in the embedded store, which belongs to whoever opened it. Rejects with StorageError. */
export function sqliteHistory({
  database,
  clock,
  limits = defaultHistoryLimits,
}: SqliteHistoryOptions): HistoryStore {
  const clearance = clearanceOf(clock);
  const oldest = () => clock.now() - limits.keptNanos;

  async function write(statements: readonly Statement[]): Promise<void> {
    const clears = clearance.isDue()
      ? [statement(forgetOld, oldest()), statement(forgetBeyond, limits.rows)]
      : [];
    const results = await database.run([...statements, ...clears]);
    if (clears.length > 0)
      clearance.done(results.slice(-clears.length).some(({ changes }) => changes >= forgottenAtOnce));
  }

  return {
    async record(episode, rows) {
      const key = keyOf(episode);
      const recordedAt = clock.now();
      await write([
        statement(forgetEpisode, ...key),
        ...rows.map(row => statement(insert, ...key, ...columnsOf(row), recordedAt)),
      ]);
    },
    async add(episode, rows, explained) {
      const key = keyOf(episode);
      const recordedAt = clock.now();
      await write([
        statement(
          forgetExplained,
          ...key,
          JSON.stringify(explained.map(({ node, device, symptom }) => [node, device, symptom])),
        ),
        ...rows.map(row => statement(insertStronger, ...key, ...columnsOf(row), recordedAt)),
        statement(forgetOverfull, ...key, mostRows),
        statement(keepTogether, ...key, recordedAt),
      ]);
    },
    async find({ cluster, nodes, uuids, from, to, limit, only }) {
      const names = nodes === null ? null : JSON.stringify(nodes);
      const [found] = await database.run([
        statement(
          select,
          storableTime(from),
          storableTime(to),
          oldest(),
          JSON.stringify(uuids),
          cluster,
          names,
          limit,
          ...filterValues(only),
        ),
      ]);
      return (found?.rows ?? []).map(rowOf);
    },
    close: () => Promise.resolve(),
  };
}

function keyOf({ cluster, workloadId, workflowId, attemptIndex }: Episode): readonly SqlValue[] {
  return [cluster, workloadId, workflowId, attemptIndex];
}

function statement(sql: string, ...values: SqlValue[]): Statement {
  return { sql, values };
}

/** Recording never waits for a great clearance. */
const forgottenAtOnce = 2_000;
const forgetOld = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history WHERE recorded_at <= ? ORDER BY recorded_at LIMIT ${forgottenAtOnce})`;
const ofEpisode = 'cluster = ?1 AND workload_id = ?2 AND workflow_id = ?3 AND attempt_index = ?4';
const forgetEpisode = `DELETE FROM history WHERE ${ofEpisode}`;
const insert = 'INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const forgetExplained = `DELETE FROM history WHERE ${ofEpisode} AND (node, device, symptom) IN (
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?5))`;
/** Less is more telling. */
const weight = (row: 'history' | 'excluded'): string =>
  `(${row}.finding IS NULL, coalesce(${row}.strength, 'S9'))`;
const insertStronger = `INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (cluster, workload_id, workflow_id, attempt_index, node, device) DO UPDATE SET uuid = excluded.uuid,
    pci = excluded.pci, symptom = excluded.symptom, code = excluded.code, title = excluded.title,
    strength = excluded.strength, alike = excluded.alike, finding = excluded.finding, at = excluded.at,
    recorded_at = excluded.recorded_at
  WHERE ${weight('history')} >= ${weight('excluded')}`;
const forgetOverfull = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history WHERE ${ofEpisode} ORDER BY recorded_at DESC, rowid LIMIT -1 OFFSET ?5)`;
/** An episode grows old as one. */
const keepTogether = `UPDATE history SET recorded_at = ?5 WHERE ${ofEpisode}`;
const forgetBeyond = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history ORDER BY recorded_at DESC, rowid DESC LIMIT ${forgottenAtOnce} OFFSET ?)`;
const select = `SELECT * FROM history
  WHERE at >= ?1 AND at < ?2 AND recorded_at > ?3
    AND (uuid IN (SELECT value FROM json_each(?4))
      OR ((?5 IS NULL OR cluster = ?5) AND (?6 IS NULL OR node IN (SELECT value FROM json_each(?6)))))
    AND (?8 IS NULL OR workload_id = ?8) AND (?9 IS NULL OR workflow_id = ?9)
    AND (?10 IS NULL OR uuid = ?10 OR pci = ?10) AND (?11 = 0 OR finding IS NOT NULL)
    AND (?12 IS NULL OR at < ?12 OR (at = ?12 AND
      (node, device, cluster, workload_id, workflow_id, attempt_index) > (?13, ?14, ?15, ?16, ?17, ?18)))
  ORDER BY at DESC, node, device, cluster, workload_id, workflow_id, attempt_index LIMIT ?7`;
