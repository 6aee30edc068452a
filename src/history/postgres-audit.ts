import type { AuditLimits, AuditStore } from '../core/audit.ts';
import type { Clock } from '../core/ports.ts';
import { clearanceOf } from '../storage/clearance.ts';
import { packElsewhere } from '../storage/packed-text.ts';
import type { PostgresDatabase } from '../storage/postgres/database.ts';
import { entryOf, packBody, pageOf } from './audit-row.ts';

export interface PostgresAuditOptions {
  readonly database: PostgresDatabase;
  readonly clock: Clock;
  readonly limits: AuditLimits;
}

/** Looking how much there is reads the size of every answer: done once so much of the limit was written here. */
const sharesOfLimit = 32;

/** Answers in the shared store, which belongs to whoever opened it. Rejects with StorageError. */
export function postgresAudit({ database, clock, limits }: PostgresAuditOptions): AuditStore {
  const ofAge = clearanceOf(clock);
  let written = limits.bytes;
  const oldest = (): bigint => clock.now() - limits.keptNanos;
  return {
    async record({ requestId, sessionId, workloadId, at, body }) {
      const packed = await packElsewhere(packBody(body));
      written += packed.length;
      const byAge = ofAge.isDue() ? [{ sql: forgetOld, values: [oldest()] }] : [];
      const bySize =
        written * sharesOfLimit >= limits.bytes ? [{ sql: forgetBeyond, values: [limits.bytes] }] : [];
      const results = await database.run([
        { sql: insert, values: [requestId, sessionId, workloadId, at, packed, packed.length] },
        ...byAge,
        ...bySize,
      ]);
      const isFull = (place: number): boolean => (results[place]?.changes ?? 0) >= forgottenAtOnce;
      if (byAge.length > 0) ofAge.done(isFull(1));
      if (bySize.length > 0 && !isFull(1 + byAge.length)) written = 0;
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

/** An answer never waits for a great clearance, and replicas clear side by side. */
const forgottenAtOnce = 500;
const forgetOld = `DELETE FROM audit WHERE id IN (
  SELECT id FROM audit WHERE at <= $1 ORDER BY at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED)`;
const insert = `INSERT INTO audit (request_id, session_id, workload_id, at, body, size)
  VALUES ($1, $2, $3, $4, $5, $6)`;
/** The oldest, whose going makes room. */
const forgetBeyond = `DELETE FROM audit WHERE id IN (
  SELECT id FROM audit WHERE id IN (
    SELECT id FROM (SELECT id, at, sum(size) OVER (ORDER BY at DESC, id DESC) AS newer FROM audit) AS summed
    WHERE newer > $1 ORDER BY at, id LIMIT ${forgottenAtOnce})
  FOR UPDATE SKIP LOCKED)`;
/** The beginnings are what the indexes hold. */
const select = `SELECT request_id, session_id, workload_id, at, body FROM audit
  WHERE ((left(request_id, 255) = left($1::text, 255) AND request_id = $1::text)
      OR (left(session_id, 255) = left($1::text, 255) AND session_id = $1::text)
      OR (left(workload_id, 255) = left($1::text, 255) AND workload_id = $1::text))
    AND at > $2 ORDER BY at DESC, id DESC LIMIT $3`;
const selectPage = `SELECT id, request_id, session_id, workload_id, at, body FROM audit
  WHERE (at, id) > ($1, $2) AND at > $3 ORDER BY at, id LIMIT $4`;
