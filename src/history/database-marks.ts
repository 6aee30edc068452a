import type { Mark, MarkStore, Truth } from '../core/marks.ts';
import type { Clock } from '../core/ports.ts';
import type { Nanos } from '../core/time.ts';
import type { Database } from '../storage/database.ts';
import type { Row } from '../storage/statement.ts';

export interface DatabaseMarksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly keptNanos: Nanos;
}

/** Marks in a store of either kind, which belongs to whoever opened it. Rejects with StorageError. */
export function databaseMarks({ database, clock, keptNanos }: DatabaseMarksOptions): MarkStore {
  const { forget, insert, select } = statements[database.kind];
  const oldest = (): bigint => clock.now() - keptNanos;
  return {
    async record({ about, truth, note, at }) {
      await database.run([
        { sql: forget, values: [oldest()] },
        { sql: insert, values: [about, JSON.stringify(truth), note, at] },
      ]);
    },
    async all() {
      const [found] = await database.run([{ sql: select, values: [oldest()] }]);
      return (found?.rows ?? []).map(markOf);
    },
  };
}

function markOf(row: Row): Mark {
  return {
    about: row['about'] as string,
    truth: JSON.parse(row['truth'] as string) as Truth,
    note: row['note'] as string,
    at: row['at'] as bigint,
  };
}

const columns = 'about, truth, note, at';
const replace =
  'ON CONFLICT (about) DO UPDATE SET truth = excluded.truth, note = excluded.note, at = excluded.at';
const statements = {
  sqlite: {
    forget: 'DELETE FROM marks WHERE at <= ?',
    insert: `INSERT INTO marks (${columns}) VALUES (?, ?, ?, ?) ${replace}`,
    select: `SELECT ${columns} FROM marks WHERE at > ? ORDER BY at, about`,
  },
  postgres: {
    forget: 'DELETE FROM marks WHERE at <= $1',
    insert: `INSERT INTO marks (${columns}) VALUES ($1, $2, $3, $4) ${replace}`,
    select: `SELECT ${columns} FROM marks WHERE at > $1 ORDER BY at, about`,
  },
} as const;
