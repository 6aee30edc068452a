import type { Clock } from '../core/ports.ts';
import type { Database } from './database.ts';

/** Writes one row, and it is on the disk; rejects with StorageError where that cannot be. */
export async function proveWritable(database: Database, clock: Clock): Promise<void> {
  await database.run([{ sql: writes[database.kind], values: [clock.now()] }]);
}

const writes = {
  sqlite: 'INSERT INTO probe VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  postgres: 'INSERT INTO probe VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
} as const;
