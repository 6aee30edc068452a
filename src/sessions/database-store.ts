import { createHash } from 'node:crypto';
import type { Clock, Log, SessionStore } from '../core/ports.ts';
import type { Session } from '../core/session.ts';
import { clearanceOf } from '../storage/clearance.ts';
import type { Database } from '../storage/database.ts';
import type { PackedText } from '../storage/packed-text.ts';
import type { SqlValue, Statement } from '../storage/statement.ts';
import { logTrimmed } from './log-trimmed.ts';
import { bytesToSession, type SessionBody, sessionToBody } from './session-bytes.ts';
import { defaultSessionLimits, type SessionLimits } from './session-limits.ts';
import { clearedAtOnce, sessionStatements } from './session-statements.ts';

export interface DatabaseStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: SessionLimits;
}

/** More pieces than a session ever has unread. */
const allPieces = 2_147_483_647;

/**
 * Sessions in a database, embedded or shared: what `open` and `update` resolved is safe there. Rejects with StorageError
 * where it cannot be. The database belongs to whoever opened it and outlives `close`.
 */
export function databaseSessionStore(options: DatabaseStoreOptions): SessionStore {
  const { database, clock, log, limits = defaultSessionLimits } = options;
  const sql = sessionStatements[database.kind];
  const clearance = clearanceOf(clock);
  const oldest = (): bigint => clock.now() - limits.lifetimeNanos;

  const locked = (id: string): readonly Statement[] => (sql.lock === null ? [] : [statement(sql.lock, id)]);

  /** Sessions that are being opened: an update comes after. */
  const opening = new Map<string, Promise<unknown>>();

  async function insert(session: Session, packing: Promise<SessionBody>): Promise<void> {
    const { body, trimmed } = await packing;
    const { workloadId, workflowId, attemptIndex, caller } = session.binding;
    const { id, version, createdAt } = session;
    const clears = clearance.isDue()
      ? [statement(sql.clearExpired, oldest()), statement(sql.clearBeyond, limits.sessions)]
      : [];
    const results = await database.run([
      statement(sql.insert, id, version, workloadId, workflowId, attemptIndex, caller, createdAt, body),
      ...clears,
    ]);
    if (clears.length > 0) clearance.done(results.slice(1).some(({ changes }) => changes >= clearedAtOnce));
    logTrimmed(log, id, trimmed);
  }

  async function isKnown(id: string): Promise<boolean> {
    const [existing] = await database.run([statement(sql.exists, id, oldest())]);
    return existing?.rows.length === 1;
  }

  return {
    open(session) {
      const packing = sessionToBody(session, limits);
      const opened = insert(session, packing);
      // The embedded store works in the order asked: what waits for the row to be written waits for nothing.
      const { id } = session;
      const asked = database.kind === 'sqlite' ? packing : opened;
      opening.set(id, asked);
      const forget = (): unknown => opening.get(id) === asked && opening.delete(id);
      opened.then(forget, forget);
      return opened;
    },
    async get(id, binding) {
      const { workloadId, workflowId, attemptIndex, caller } = binding;
      const [found] = await database.run([
        statement(sql.select, id, workloadId, workflowId, attemptIndex, caller, oldest()),
      ]);
      const row = found?.rows[0];
      if (row === undefined) return null;
      const session = await bytesToSession(row['body'] as Uint8Array);
      return { ...session, version: Number(row['version']) };
    },
    async update(session, absorbed) {
      await opening.get(session.id)?.catch(() => {});
      const { body, trimmed } = await sessionToBody(session, limits);
      const { id, version } = session;
      const marking =
        absorbed === undefined ? [] : [...locked(id), statement(sql.absorbed, id, absorbed, version, oldest())];
      const results = await database.run([...marking, statement(sql.update, body, id, version, oldest())]);
      if (results.at(-1)?.changes === 1) {
        logTrimmed(log, session.id, trimmed);
        return 'updated';
      }
      return (await isKnown(session.id)) ? 'conflict' : 'unknown';
    },
    async append(id, bytes) {
      const hash = createHash('sha256').update(bytes).digest();
      const results = await database.run([...locked(id), statement(sql.append, hash, bytes, id, oldest())]);
      if (results.at(-1)?.changes === 1) return 'appended';
      return (await isKnown(id)) ? 'repeated' : 'unknown';
    },
    async unread(id, limit = allPieces) {
      const [found] = await database.run([statement(sql.unread, id, limit)]);
      const rows = found?.rows ?? [];
      return {
        chunks: rows.map(row => row['bytes'] as Uint8Array),
        mark: Number(rows.at(-1)?.['mark'] ?? 0),
      };
    },
    async remove(id) {
      await database.run([statement(sql.remove, id)]);
    },
    close: () => Promise.resolve(),
  };
}

function statement(sql: string, ...values: (SqlValue | PackedText)[]): Statement {
  return { sql, values };
}
