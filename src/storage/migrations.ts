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
  {
    says: 'history: what each failed attempt showed on a node and device',
    sql: `
      CREATE TABLE history (
        cluster TEXT NOT NULL,
        workload_id TEXT NOT NULL,
        workflow_id TEXT NOT NULL,
        attempt_index INTEGER NOT NULL,
        node TEXT NOT NULL,
        device TEXT NOT NULL,
        uuid TEXT,
        pci TEXT,
        symptom TEXT NOT NULL,
        code TEXT,
        title TEXT NOT NULL,
        strength TEXT,
        alike INTEGER NOT NULL,
        finding TEXT,
        at INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        PRIMARY KEY (cluster, workload_id, workflow_id, attempt_index, node, device)
      ) STRICT;
      CREATE INDEX history_by_node ON history (node, at);
      CREATE INDEX history_by_gpu ON history (uuid, at) WHERE uuid IS NOT NULL;
      CREATE INDEX history_by_age ON history (recorded_at);
    `,
  },
  {
    says: 'attributors, and pushed bytes found by session while they are unread',
    sql: `
      CREATE TABLE attributors (
        id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX pushed_unread ON pushed (session_id, mark) WHERE bytes IS NOT NULL;
    `,
  },
  {
    says: 'one row that is written to see whether writing works',
    sql: `
      CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
    `,
  },
  {
    says: 'answers as they were given, with the bytes they take',
    sql: `
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        request_id TEXT NOT NULL,
        session_id TEXT,
        workload_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX audit_by_request ON audit (request_id);
      CREATE INDEX audit_by_session ON audit (session_id) WHERE session_id IS NOT NULL;
      CREATE INDEX audit_by_workload ON audit (workload_id, at);
      CREATE INDEX audit_by_age ON audit (at);
      CREATE TABLE audit_size (bytes INTEGER NOT NULL) STRICT;
      INSERT INTO audit_size VALUES (0);
      CREATE TRIGGER audit_grows AFTER INSERT ON audit
        BEGIN UPDATE audit_size SET bytes = bytes + length(NEW.body); END;
      CREATE TRIGGER audit_shrinks AFTER DELETE ON audit
        BEGIN UPDATE audit_size SET bytes = bytes - length(OLD.body); END;
    `,
  },
  {
    says: 'pushed observations that evidence cites',
    sql: `
      CREATE TABLE cited (
        attributor_id TEXT NOT NULL REFERENCES attributors (id) ON DELETE CASCADE,
        observation TEXT NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (attributor_id, observation)
      ) STRICT;
    `,
  },
  {
    says: 'what operators found out about failures that were answered',
    sql: `
      CREATE TABLE marks (
        about TEXT PRIMARY KEY,
        truth TEXT NOT NULL,
        note TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT;
    `,
  },
];
