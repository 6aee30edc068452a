import type { Database } from '../storage/database.ts';

/** The most sessions cleared away at once: opening one never waits for a great clearance. */
export const clearedAtOnce = 100;

/** Texts of what a store of sessions asks, with their values in the order named. */
export interface SessionStatements {
  /** Oldest time. */
  readonly clearExpired: string;
  /** Number of sessions kept. */
  readonly clearBeyond: string;
  /** Id, version, workload, workflow, attempt, caller, time, bytes. */
  readonly insert: string;
  /** Id, workload, workflow, attempt, caller, oldest time. */
  readonly select: string;
  /** Bytes, id, version, oldest time. */
  readonly update: string;
  /** Id, oldest time. */
  readonly exists: string;
  /** Id; null where several statements of a unit need no lock to see the same session. */
  readonly lock: string | null;
  /** Hash, bytes, id, oldest time. */
  readonly append: string;
  /** Id, most pieces. */
  readonly unread: string;
  /** Id, mark, version, oldest time; nothing where the session has another version by now. */
  readonly absorbed: string;
  /** Id. */
  readonly remove: string;
}

const sqlite: SessionStatements = {
  clearExpired: `DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE created_at <= ? ORDER BY created_at LIMIT ${clearedAtOnce})`,
  clearBeyond: `DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions ORDER BY created_at DESC, id LIMIT ${clearedAtOnce} OFFSET ?)`,
  insert: 'INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  select: `SELECT version, body FROM sessions
    WHERE id = ? AND workload_id = ? AND workflow_id = ? AND attempt_index = ? AND caller IS ? AND created_at > ?`,
  update: `UPDATE sessions SET body = ?, version = version + 1
    WHERE id = ? AND version = ? AND created_at > ?`,
  exists: 'SELECT 1 AS found FROM sessions WHERE id = ? AND created_at > ?',
  lock: null,
  append: `INSERT INTO pushed (session_id, hash, bytes)
    SELECT id, ?, ? FROM sessions WHERE id = ? AND created_at > ?
    ON CONFLICT (session_id, hash) DO NOTHING`,
  unread: 'SELECT mark, bytes FROM pushed WHERE session_id = ? AND bytes IS NOT NULL ORDER BY mark LIMIT ?',
  absorbed: `UPDATE pushed SET bytes = NULL WHERE session_id = ?1 AND mark <= ?2 AND bytes IS NOT NULL
    AND EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND version = ?3 AND created_at > ?4)`,
  remove: 'DELETE FROM sessions WHERE id = ?',
};

/**
 * Replicas clear away side by side and skip what another has in hand. Marks are given out in the order in which they
 * become visible, since appending holds the session: whoever absorbs up to a mark has read all before it.
 */
const postgres: SessionStatements = {
  clearExpired: `DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE created_at <= $1 ORDER BY created_at LIMIT ${clearedAtOnce}
    FOR UPDATE SKIP LOCKED)`,
  clearBeyond: `DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions ORDER BY created_at DESC, id LIMIT ${clearedAtOnce} OFFSET $1
    FOR UPDATE SKIP LOCKED)`,
  insert: 'INSERT INTO sessions VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
  select: `SELECT version, body FROM sessions
    WHERE id = $1 AND workload_id = $2 AND workflow_id = $3 AND attempt_index = $4
      AND caller IS NOT DISTINCT FROM $5 AND created_at > $6`,
  update: `UPDATE sessions SET body = $1, version = version + 1
    WHERE id = $2 AND version = $3 AND created_at > $4`,
  exists: 'SELECT 1 AS found FROM sessions WHERE id = $1 AND created_at > $2',
  lock: 'SELECT 1 AS found FROM sessions WHERE id = $1 FOR NO KEY UPDATE',
  append: `INSERT INTO pushed (session_id, hash, bytes)
    SELECT id, $1::bytea, $2::bytea FROM sessions WHERE id = $3 AND created_at > $4
    ON CONFLICT (session_id, hash) DO NOTHING`,
  unread: 'SELECT mark, bytes FROM pushed WHERE session_id = $1 AND bytes IS NOT NULL ORDER BY mark LIMIT $2',
  absorbed: `UPDATE pushed SET bytes = NULL WHERE session_id = $1 AND mark <= $2 AND bytes IS NOT NULL
    AND EXISTS (SELECT 1 FROM sessions WHERE id = $1 AND version = $3 AND created_at > $4)`,
  remove: 'DELETE FROM sessions WHERE id = $1',
};

export const sessionStatements: Readonly<Record<Database['kind'], SessionStatements>> = { sqlite, postgres };
