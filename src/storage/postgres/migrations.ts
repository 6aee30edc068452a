import type { Migration } from '../migrations.ts';

/**
 * Steps of the schema on PostgreSQL. Texts come from callers and have any length, which an index entry has not: what
 * is looked up by them is indexed by a hash, or by their beginning. Where order matters it is that of the characters'
 * codes, as everywhere else, and not that of a language.
 */
export const postgresMigrations: readonly Migration[] = [
  {
    says: 'sessions, the bytes pushed to them, and attributors',
    sql: `
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        version BIGINT NOT NULL,
        workload_id TEXT NOT NULL,
        workflow_id TEXT NOT NULL,
        attempt_index BIGINT NOT NULL,
        caller TEXT,
        created_at BIGINT NOT NULL,
        body BYTEA NOT NULL
      );
      ALTER TABLE sessions ALTER COLUMN body SET STORAGE EXTERNAL;
      CREATE INDEX sessions_by_age ON sessions (created_at);
      CREATE TABLE pushed (
        mark BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BYTEA NOT NULL,
        bytes BYTEA,
        UNIQUE (session_id, hash)
      );
      ALTER TABLE pushed ALTER COLUMN bytes SET STORAGE EXTERNAL;
      CREATE INDEX pushed_unread ON pushed (session_id, mark) WHERE bytes IS NOT NULL;
      CREATE TABLE attributors (
        id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        body TEXT NOT NULL
      );
    `,
  },
  {
    says: 'history: what each failed attempt showed on a node and device',
    sql: `
      CREATE TABLE history (
        row_hash BYTEA PRIMARY KEY,
        episode BYTEA NOT NULL,
        cluster TEXT COLLATE "C" NOT NULL,
        workload_id TEXT COLLATE "C" NOT NULL,
        workflow_id TEXT COLLATE "C" NOT NULL,
        attempt_index BIGINT NOT NULL,
        node TEXT COLLATE "C" NOT NULL,
        device TEXT COLLATE "C" NOT NULL,
        uuid TEXT,
        pci TEXT,
        symptom TEXT NOT NULL,
        code TEXT,
        title TEXT NOT NULL,
        strength TEXT,
        alike BIGINT NOT NULL,
        finding TEXT,
        at BIGINT NOT NULL,
        recorded_at BIGINT NOT NULL
      );
      CREATE INDEX history_by_episode ON history (episode);
      CREATE INDEX history_by_node ON history (left(node, 255), at);
      CREATE INDEX history_by_gpu ON history (left(uuid, 255), at) WHERE uuid IS NOT NULL;
      CREATE INDEX history_by_age ON history (recorded_at);
    `,
  },
  {
    says: 'one row that is written to see whether writing works',
    sql: 'CREATE TABLE probe (id BIGINT PRIMARY KEY CHECK (id = 1), at BIGINT NOT NULL)',
  },
  {
    says: 'answers as they were given, with the bytes they take',
    sql: `
      CREATE TABLE audit (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        request_id TEXT NOT NULL,
        session_id TEXT,
        workload_id TEXT NOT NULL,
        at BIGINT NOT NULL,
        body BYTEA NOT NULL,
        size BIGINT NOT NULL
      );
      ALTER TABLE audit ALTER COLUMN body SET STORAGE EXTERNAL;
      CREATE INDEX audit_by_request ON audit (left(request_id, 255));
      CREATE INDEX audit_by_session ON audit (left(session_id, 255)) WHERE session_id IS NOT NULL;
      CREATE INDEX audit_by_workload ON audit (left(workload_id, 255), at);
      CREATE INDEX audit_by_age ON audit (at, id) INCLUDE (size);
    `,
  },
  {
    says: 'pushed observations that evidence cites',
    sql: `
      CREATE TABLE cited (
        attributor_id TEXT NOT NULL REFERENCES attributors (id) ON DELETE CASCADE,
        observation TEXT NOT NULL,
        bytes BYTEA NOT NULL,
        PRIMARY KEY (attributor_id, observation)
      );
      ALTER TABLE cited ALTER COLUMN bytes SET STORAGE EXTERNAL;
    `,
  },
  {
    says: 'what operators found out about failures that were answered',
    sql: `
      CREATE TABLE marks (
        about TEXT COLLATE "C" PRIMARY KEY,
        truth TEXT NOT NULL,
        note TEXT NOT NULL,
        at BIGINT NOT NULL
      );
    `,
  },
];
