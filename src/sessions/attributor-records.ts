import type { AttributorRecord, AttributorRecords } from '../core/attributor.ts';
import type { Database } from '../storage/database.ts';
import { fromText, toText } from './session-text.ts';

/** Records in a database, gone with their sessions. */
export function databaseAttributorRecords(database: Database): AttributorRecords {
  const { insert, select, insertCited, selectCited } = statements[database.kind];
  return {
    async save(record) {
      await database.run([{ sql: insert, values: [record.id, toText(record)] }]);
    },
    async get(id) {
      const [found] = await database.run([{ sql: select, values: [id] }]);
      const body = found?.rows[0]?.['body'];
      // Records of earlier releases name no caller.
      return typeof body === 'string'
        ? { ...ofNobody, ...(fromText(body) as Omit<AttributorRecord, 'caller'>) }
        : null;
    },
    async keep(id, observations) {
      if (observations.length === 0) return;
      await database.run(observations.map(each => ({ sql: insertCited, values: [id, each.id, each.bytes] })));
    },
    async kept(id, observation) {
      const [found] = await database.run([{ sql: selectCited, values: [id, observation] }]);
      return (found?.rows[0]?.['bytes'] as Uint8Array | undefined) ?? null;
    },
  };
}

const ofNobody = { caller: null };

const statements = {
  sqlite: {
    insert: 'INSERT INTO attributors VALUES (?, ?)',
    select: 'SELECT body FROM attributors WHERE id = ?',
    insertCited: 'INSERT INTO cited VALUES (?, ?, ?) ON CONFLICT (attributor_id, observation) DO NOTHING',
    selectCited: 'SELECT bytes FROM cited WHERE attributor_id = ? AND observation = ?',
  },
  postgres: {
    insert: 'INSERT INTO attributors VALUES ($1, $2)',
    select: 'SELECT body FROM attributors WHERE id = $1',
    insertCited: 'INSERT INTO cited VALUES ($1, $2, $3) ON CONFLICT (attributor_id, observation) DO NOTHING',
    selectCited: 'SELECT bytes FROM cited WHERE attributor_id = $1 AND observation = $2',
  },
} as const;

/** The most records kept in memory: as many as there are sessions there. */
const mostRecords = 10_000;

export function memoryAttributorRecords(): AttributorRecords {
  const records = new Map<string, AttributorRecord>();
  const cited = new Map<string, Map<string, Uint8Array>>();
  return {
    async save(record) {
      const [oldest] = records.keys();
      if (records.size >= mostRecords && oldest !== undefined) {
        records.delete(oldest);
        cited.delete(oldest);
      }
      records.set(record.id, record);
    },
    get: async id => records.get(id) ?? null,
    async keep(id, observations) {
      const known = cited.get(id) ?? new Map<string, Uint8Array>();
      for (const { id: observation, bytes } of observations) known.set(observation, Uint8Array.from(bytes));
      if (records.has(id)) cited.set(id, known);
    },
    kept: async (id, observation) => cited.get(id)?.get(observation) ?? null,
  };
}
