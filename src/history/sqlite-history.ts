import type { HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import { clearanceOf } from '../storage/clearance.ts';
import type { Database } from '../storage/database.ts';
import type { SqlValue, Statement } from '../storage/statement.ts';
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
  return {
    async record(episode, rows) {
      const { cluster, workloadId, workflowId, attemptIndex } = episode;
      const key = [cluster, workloadId, workflowId, attemptIndex] as const;
      const recordedAt = clock.now();
      const clears = clearance.isDue()
        ? [statement(forgetOld, oldest()), statement(forgetBeyond, limits.rows)]
        : [];
      const results = await database.run([
        statement(forgetEpisode, ...key),
        ...rows.map(row => statement(insert, ...key, ...columnsOf(row), recordedAt)),
        ...clears,
      ]);
      if (clears.length > 0)
        clearance.done(results.slice(-clears.length).some(({ changes }) => changes >= forgottenAtOnce));
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

function statement(sql: string, ...values: SqlValue[]): Statement {
  return { sql, values };
}

/** Recording never waits for a great clearance. */
const forgottenAtOnce = 2_000;
const forgetOld = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history WHERE recorded_at <= ? ORDER BY recorded_at LIMIT ${forgottenAtOnce})`;
const forgetEpisode = `DELETE FROM history
  WHERE cluster = ? AND workload_id = ? AND workflow_id = ? AND attempt_index = ?`;
const insert = 'INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
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
