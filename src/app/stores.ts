import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { AttributorRecords } from '../core/attributor.ts';
import type { AuditLimits, AuditStore } from '../core/audit.ts';
import type { HistoryStore } from '../core/history.ts';
import type { SessionStore } from '../core/ports.ts';
import { minute } from '../core/time.ts';
import { defaultHistoryLimits } from '../history/history-limits.ts';
import { memoryAudit } from '../history/memory-audit.ts';
import { memoryHistory } from '../history/memory-history.ts';
import { sqliteAudit } from '../history/sqlite-audit.ts';
import { sqliteHistory } from '../history/sqlite-history.ts';
import { memoryAttributorRecords, sqliteAttributorRecords } from '../sessions/attributor-records.ts';
import { memorySessionStore } from '../sessions/memory-store.ts';
import { sqliteSessionStore } from '../sessions/sqlite-store.ts';
import { openDatabase } from '../storage/database.ts';
import { proveWritable } from '../storage/prove-writable.ts';
import type { Surroundings } from './surroundings.ts';

/** The stores that one process answers from. */
export interface OpenStores {
  readonly sessions: SessionStore;
  readonly records: AttributorRecords;
  readonly history: HistoryStore;
  readonly audit: AuditStore;
  /** Writes something; rejects where that fails. */
  prove(): Promise<void>;
  close(): Promise<void>;
}

/** The stores of the settings; closing it leaves everything acknowledged on the disk. */
export async function openStores(settings: Settings, { clock, log }: Surroundings): Promise<OpenStores> {
  const limits = { ...defaultHistoryLimits, rows: settings.history.rows };
  const auditLimits = auditLimitsOf(settings);
  if (settings.sessions.store === 'memory') {
    const sessions = memorySessionStore({ clock, log });
    return {
      sessions,
      records: memoryAttributorRecords(),
      history: memoryHistory({ clock }, limits),
      audit: memoryAudit({ clock }, auditLimits),
      prove: () => Promise.resolve(),
      close: () => sessions.close(),
    };
  }
  const database = await openDatabase({ file: stateFile(settings) });
  const sessions = sqliteSessionStore({ database, clock, log });
  return {
    sessions,
    records: sqliteAttributorRecords(database),
    history: sqliteHistory({ database, clock, limits }),
    audit: sqliteAudit({ database, clock, limits: auditLimits }),
    prove: () => proveWritable(database, clock),
    async close() {
      await sessions.close();
      await database.close();
    },
  };
}

function auditLimitsOf({ audit: { days, megabytes } }: Settings): AuditLimits {
  return { keptNanos: BigInt(days) * 24n * 60n * minute, bytes: megabytes * 1024 * 1024 };
}

/** Where the embedded store is. */
export function stateFile(settings: Settings): string {
  return join(stateFolder(settings), 'state.sqlite');
}

/** `/var/lib/attribution-adapter` for root, else below `$XDG_STATE_HOME`. */
function stateFolder(settings: Settings): string {
  if (settings.state !== '') return settings.state;
  if (process.getuid?.() === 0) return '/var/lib/attribution-adapter';
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'attribution-adapter');
}
