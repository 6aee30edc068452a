import { createHash } from 'node:crypto';
import type { Clock, Log, SessionStore } from '../core/ports.ts';
import type { Database } from '../storage/database.ts';
import type { SqlValue, Statement } from '../storage/statement.ts';
import { logTrimmed } from './log-trimmed.ts';
import { lifetimeNanos } from './session-binding.ts';
import { bytesToSession, defaultSessionLimits, type SessionLimits, sessionToBytes } from './session-bytes.ts';

export interface SqliteStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: SessionLimits;
}

/**
 * Sessions in the embedded store: what `open` and `update` resolved is on the disk. Rejects with StorageError where it
 * cannot be. The database belongs to whoever opened it and outlives `close`.
 */
export function sqliteSessionStore(options: SqliteStoreOptions): SessionStore {
  const { database, clock, log, limits = defaultSessionLimits } = options;
  const oldest = (): bigint => clock.now() - lifetimeNanos;

  return {
    async open(session) {
      const { bytes, trimmed } = await sessionToBytes(session, limits);
      const { workloadId, workflowId, attemptIndex, caller } = session.binding;
      await database.run([
        statement(removeExpired, oldest()),
        statement(
          insertSession,
          session.id,
          session.version,
          workloadId,
          workflowId,
          attemptIndex,
          caller,
          session.createdAt,
          bytes,
        ),
      ]);
      logTrimmed(log, session.id, trimmed);
    },
    async get(id, binding) {
      const { workloadId, workflowId, attemptIndex, caller } = binding;
      const [found] = await database.run([
        statement(selectSession, id, workloadId, workflowId, attemptIndex, caller, oldest()),
      ]);
      const row = found?.rows[0];
      if (row === undefined) return null;
      const session = await bytesToSession(row['body'] as Uint8Array);
      return { ...session, version: Number(row['version']) };
    },
    async update(session) {
      const { bytes, trimmed } = await sessionToBytes(session, limits);
      const [updated, existing] = await database.run([
        statement(updateSession, bytes, session.id, session.version, oldest()),
        statement(selectVersion, session.id, oldest()),
      ]);
      if (updated?.changes === 1) {
        logTrimmed(log, session.id, trimmed);
        return 'updated';
      }
      return existing?.rows.length === 1 ? 'conflict' : 'unknown';
    },
    async append(id, bytes) {
      const hash = createHash('sha256').update(bytes).digest();
      const [inserted] = await database.run([statement(insertPushed, hash, bytes, id, oldest())]);
      return inserted?.changes === 1;
    },
    async unread(id, limit = -1) {
      const [found] = await database.run([statement(selectUnread, id, limit)]);
      const rows = found?.rows ?? [];
      return {
        chunks: rows.map(row => row['bytes'] as Uint8Array),
        mark: Number(rows.at(-1)?.['mark'] ?? 0),
      };
    },
    async absorbed(id, mark) {
      await database.run([statement(forgetPushed, id, mark)]);
    },
    async remove(id) {
      await database.run([statement(removeSession, id)]);
    },
    close: () => Promise.resolve(),
  };
}

function statement(sql: string, ...values: SqlValue[]): Statement {
  return { sql, values };
}

/** At most 100 at a time: opening a session never waits for a great clearance. */
const removeExpired = `DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions WHERE created_at <= ? ORDER BY created_at LIMIT 100)`;
const insertSession = 'INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const selectSession = `SELECT version, body FROM sessions
  WHERE id = ? AND workload_id = ? AND workflow_id = ? AND attempt_index = ? AND caller IS ? AND created_at > ?`;
const updateSession = `UPDATE sessions SET body = ?, version = version + 1
  WHERE id = ? AND version = ? AND created_at > ?`;
const selectVersion = 'SELECT version FROM sessions WHERE id = ? AND created_at > ?';
const insertPushed = `INSERT INTO pushed (session_id, hash, bytes)
  SELECT id, ?, ? FROM sessions WHERE id = ? AND created_at > ?
  ON CONFLICT (session_id, hash) DO NOTHING`;
const selectUnread =
  'SELECT mark, bytes FROM pushed WHERE session_id = ? AND bytes IS NOT NULL ORDER BY mark LIMIT ?';
const forgetPushed = 'UPDATE pushed SET bytes = NULL WHERE session_id = ? AND mark <= ?';
const removeSession = 'DELETE FROM sessions WHERE id = ?';
