import type { AuditLimits, AuditStore } from '../core/audit.ts';
import type { Clock } from '../core/ports.ts';
import { clearanceOf } from '../storage/clearance.ts';
import type { Database } from '../storage/database.ts';
import { entryOf, packBody, pageOf } from './audit-row.ts';

export interface SqliteAuditOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: AuditLimits;
}

/** Answers in the embedded store, which belongs to whoever opened it. Rejects with StorageError. */
export function sqliteAudit({ database, clock, limits }: SqliteAuditOptions): AuditStore {
  const ofAge = clearanceOf(clock);
  const oldest = (): bigint => clock.now() - limits.keptNanos;
  return {
    async record({ requestId, sessionId, workloadId, at, body }) {
      const byAge = ofAge.isDue() ? [{ sql: forgetOld, values: [oldest()] }] : [];
      const [, size, old] = await database.run([
        { sql: insert, values: [requestId, sessionId, workloadId, at, packBody(body)] },
        { sql: selectSize, values: [] },
        ...byAge,
      ]);
      if (old !== undefined) ofAge.done(old.changes >= forgottenAtOnce);
      if (Number(size?.rows[0]?.['bytes'] ?? 0) > limits.bytes) {
        await database.run([{ sql: forgetBeyond, values: [limits.bytes] }]);
      }
    },
    async find(id, limit) {
      const [found] = await database.run([{ sql: select, values: [id, oldest(), limit] }]);
      return Promise.all((found?.rows ?? []).map(entryOf));
    },
    async page({ at, id }, limit) {
      const [found] = await database.run([{ sql: selectPage, values: [at, id, oldest(), limit] }]);
      return pageOf(found?.rows ?? []);
    },
    close: () => Promise.resolve(),
  };
}

/** At most so many at a time: an answer never waits for a great clearance. */
const forgottenAtOnce = 100;
const forgetOld = `DELETE FROM audit WHERE id IN (
  SELECT id FROM audit WHERE at <= ? ORDER BY at LIMIT ${forgottenAtOnce})`;
/** Triggers keep count of the bytes. */
const selectSize = 'SELECT bytes FROM audit_size';
const insert = 'INSERT INTO audit (request_id, session_id, workload_id, at, body) VALUES (?, ?, ?, ?, ?)';
/** The oldest whose going makes room. */
const forgetBeyond = `DELETE FROM audit WHERE (SELECT bytes FROM audit_size) > ?1 AND id IN (
  SELECT id FROM (
    SELECT id, sum(length(body)) OVER (ORDER BY at, id) - length(body) AS before
    FROM (SELECT id, at, body FROM audit ORDER BY at, id LIMIT ${forgottenAtOnce}))
  WHERE before < (SELECT bytes FROM audit_size) - ?1)`;
const select = `SELECT request_id, session_id, workload_id, at, body FROM audit
  WHERE (request_id = ?1 OR session_id = ?1 OR workload_id = ?1) AND at > ?2 ORDER BY at DESC, id DESC LIMIT ?3`;
const selectPage = `SELECT id, request_id, session_id, workload_id, at, body FROM audit
  WHERE at >= ?1 AND (at > ?1 OR id > ?2) AND at > ?3 ORDER BY at, id LIMIT ?4`;
