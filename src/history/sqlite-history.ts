import type { Episode, HistoryFilter, HistoryPlace, HistoryRow, HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import type { Database } from '../storage/database.ts';
import type { Row, SqlValue, Statement } from '../storage/statement.ts';
import { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts';
import { deviceKey } from './row-key.ts';

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
  const oldest = () => clock.now() - limits.keptNanos;
  return {
    async record(episode, rows) {
      const { cluster, workloadId, workflowId, attemptIndex } = episode;
      const key = [cluster, workloadId, workflowId, attemptIndex] as const;
      const recordedAt = clock.now();
      await database.run([
        statement(forgetOld, oldest()),
        statement(forgetEpisode, ...key),
        ...rows.map(row => statement(insert, ...key, ...valuesOf(row), recordedAt)),
        statement(forgetBeyond, limits.rows),
      ]);
    },
    async find({ cluster, nodes, uuids, from, to, limit, only }) {
      const names = nodes === null ? null : JSON.stringify(nodes);
      const [found] = await database.run([
        statement(select, from, to, oldest(), JSON.stringify(uuids), cluster, names, limit, ...filterOf(only)),
      ]);
      return (found?.rows ?? []).map(rowOf);
    },
    close: () => Promise.resolve(),
  };
}

function statement(sql: string, ...values: SqlValue[]): Statement {
  return { sql, values };
}

function valuesOf(row: Omit<HistoryRow, keyof Episode>): readonly SqlValue[] {
  const { node, uuid, pci, symptom, code, title, strength, alike, finding, at } = row;
  return [node, deviceKey(row), uuid, pci, symptom, code, title, strength, alike, finding, at];
}

function filterOf(only: HistoryFilter | undefined): readonly SqlValue[] {
  if (only === undefined) return [null, null, null, 0, ...placeless];
  const { workloadId, workflowId, device, named, after } = only;
  const place = after === null ? placeless : placeValues(after);
  return [workloadId, workflowId, device, named ? 1 : 0, ...place];
}

const placeless = [null, null, null, null, null, null, null];

function placeValues(place: HistoryPlace): readonly SqlValue[] {
  const { at, node, device, cluster, workloadId, workflowId, attemptIndex } = place;
  return [at, node, device, cluster, workloadId, workflowId, attemptIndex];
}

function rowOf(row: Row): HistoryRow {
  return {
    cluster: row['cluster'] as string,
    workloadId: row['workload_id'] as string,
    workflowId: row['workflow_id'] as string,
    attemptIndex: Number(row['attempt_index']),
    node: row['node'] as string,
    uuid: row['uuid'] as string | null,
    pci: row['pci'] as string | null,
    symptom: row['symptom'] as string,
    code: row['code'] as string | null,
    title: row['title'] as string,
    strength: row['strength'] as HistoryRow['strength'],
    alike: Number(row['alike']),
    finding: row['finding'] as HistoryRow['finding'],
    at: row['at'] as bigint,
  };
}

/** At most so many at a time: recording never waits for a great clearance. */
const forgetOld = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history WHERE recorded_at <= ? ORDER BY recorded_at LIMIT 1000)`;
const forgetEpisode = `DELETE FROM history
  WHERE cluster = ? AND workload_id = ? AND workflow_id = ? AND attempt_index = ?`;
const insert = 'INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const forgetBeyond = `DELETE FROM history WHERE rowid IN (
  SELECT rowid FROM history ORDER BY recorded_at DESC, rowid DESC LIMIT -1 OFFSET ?)`;
const select = `SELECT * FROM history
  WHERE at >= ?1 AND at < ?2 AND recorded_at > ?3
    AND (uuid IN (SELECT value FROM json_each(?4))
      OR ((?5 IS NULL OR cluster = ?5) AND (?6 IS NULL OR node IN (SELECT value FROM json_each(?6)))))
    AND (?8 IS NULL OR workload_id = ?8) AND (?9 IS NULL OR workflow_id = ?9)
    AND (?10 IS NULL OR uuid = ?10 OR pci = ?10) AND (?11 = 0 OR finding IS NOT NULL)
    AND (?12 IS NULL OR at < ?12 OR (at = ?12 AND
      (node, device, cluster, workload_id, workflow_id, attempt_index) > (?13, ?14, ?15, ?16, ?17, ?18)))
  ORDER BY at DESC, node, device, cluster, workload_id, workflow_id, attempt_index LIMIT ?7`;
