/** One step of the schema. Steps are numbered by their place, from 1, never changed once released, never undone. */
export interface Migration {
  readonly says: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    says: 'sessions, and the bytes pushed to them',
    sql: `
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        workload_id TEXT NOT NULL,
        workflow_id TEXT NOT NULL,
        attempt_index INTEGER NOT NULL,
        caller TEXT,
        created_at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX sessions_by_age ON sessions (created_at);
      CREATE TABLE pushed (
        mark INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BLOB NOT NULL,
        bytes BLOB,
        UNIQUE (session_id, hash)
      ) STRICT;
    `,
  },
];
