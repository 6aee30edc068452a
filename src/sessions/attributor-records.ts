import type { AttributorRecord, AttributorRecords } from '../core/attributor.ts';
import type { Database } from '../storage/database.ts';
import { fromText, toText } from './session-text.ts';

/** Records in the embedded store, gone with their sessions. */
export function sqliteAttributorRecords(database: Database): AttributorRecords {
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

const insert = 'INSERT INTO attributors VALUES (?, ?)';
const select = 'SELECT body FROM attributors WHERE id = ?';

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
