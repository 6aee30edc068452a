import type { AttributorRecord, AttributorRecords } from '../core/attributor.ts';
import type { Database } from '../storage/database.ts';
import { fromText, toText } from './session-text.ts';

/** Records in a database, gone with their sessions. */
export function databaseAttributorRecords(database: Database): AttributorRecords {
  const { insert, select } = statements[database.kind];
  return {
    async save(record) {
      await database.run([{ sql: insert, values: [record.id, toText(record)] }]);
    },
    async get(id) {
      const [found] = await database.run([{ sql: select, values: [id] }]);
      const body = found?.rows[0]?.['body'];
      return typeof body === 'string' ? (fromText(body) as AttributorRecord) : null;
    },
  };
}

const statements = {
  sqlite: {
    insert: 'INSERT INTO attributors VALUES (?, ?)',
    select: 'SELECT body FROM attributors WHERE id = ?',
  },
  postgres: {
    insert: 'INSERT INTO attributors VALUES ($1, $2)',
    select: 'SELECT body FROM attributors WHERE id = $1',
  },
} as const;

/** The most records kept in memory: as many as there are sessions there. */
const mostRecords = 10_000;

export function memoryAttributorRecords(): AttributorRecords {
  const records = new Map<string, AttributorRecord>();
  return {
    async save(record) {
      const [oldest] = records.keys();
      if (records.size >= mostRecords && oldest !== undefined) records.delete(oldest);
      records.set(record.id, record);
    },
    get: async id => records.get(id) ?? null,
  };
}
