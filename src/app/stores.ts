import { join } from 'node:path';
import { homeFolder } from '../config/home-folder.ts';
import type { Settings } from '../config/settings.ts';
import type { AttributorRecords } from '../core/attributor.ts';
import type { AuditStore } from '../core/audit.ts';
import { StartupError } from '../core/errors.ts';
import type { HistoryStore } from '../core/history.ts';
import type { MarkStore } from '../core/marks.ts';
import type { SessionStore } from '../core/ports.ts';
import { databaseMarks } from '../history/database-marks.ts';
import { memoryAudit } from '../history/memory-audit.ts';
import { memoryHistory } from '../history/memory-history.ts';
import { memoryMarks } from '../history/memory-marks.ts';
import { postgresAudit } from '../history/postgres-audit.ts';
import { postgresHistory } from '../history/postgres-history.ts';
import { sqliteAudit } from '../history/sqlite-audit.ts';
import { sqliteHistory } from '../history/sqlite-history.ts';
import { databaseAttributorRecords, memoryAttributorRecords } from '../sessions/attributor-records.ts';
import { databaseSessionStore } from '../sessions/database-store.ts';
import { memorySessionStore } from '../sessions/memory-store.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import { proveWritable } from '../storage/prove-writable.ts';
import { auditLimitsOf, historyLimitsOf, sessionLimitsOf } from './store-limits.ts';
import type { Surroundings } from './surroundings.ts';

/** The stores that one process answers from. */
export interface OpenStores {
  readonly sessions: SessionStore;
  readonly records: AttributorRecords;
  readonly history: HistoryStore;
  readonly audit: AuditStore;
  readonly marks: MarkStore;
  /** Writes something; rejects where that fails. */
  prove(): Promise<void>;
  close(): Promise<void>;
}

/** The stores of the settings; closing them leaves everything acknowledged safe. */
export async function openStores(settings: Settings, { clock, log }: Surroundings): Promise<OpenStores> {
  const limits = sessionLimitsOf(settings);
  const historyLimits = historyLimitsOf(settings);
  const auditLimits = auditLimitsOf(settings);
  if (settings.sessions.store === 'memory') {
    const sessions = memorySessionStore({ clock, log, limits });
    return {
      sessions,
      records: memoryAttributorRecords(),
      history: memoryHistory({ clock }, historyLimits),
      audit: memoryAudit({ clock }, auditLimits),
      marks: memoryMarks({ clock }, auditLimits.keptNanos),
      prove: () => Promise.resolve(),
      close: () => sessions.close(),
    };
  }
  if (settings.sessions.store === 'postgres') {
    if (settings.postgres.tls.mode === 'unverified') {
      log.warn({}, 'postgres.tls.mode is unverified: whoever answers in its place is taken for the server');
    }
    const database = await openPostgres(settings.postgres);
    return {
      ...onDatabase(database),
      history: postgresHistory({ database, clock, limits: historyLimits }),
      audit: postgresAudit({ database, clock, limits: auditLimits }),
    };
  }
  const database = await openDatabase({ file: stateFile(settings) });
  return {
    ...onDatabase(database),
    history: sqliteHistory({ database, clock, limits: historyLimits }),
    audit: sqliteAudit({ database, clock, limits: auditLimits }),
  };

  function onDatabase(database: Database): Omit<OpenStores, 'history' | 'audit'> {
    return {
      sessions: databaseSessionStore({ database, clock, log, limits }),
      records: databaseAttributorRecords(database),
      marks: databaseMarks({ database, clock, keptNanos: auditLimits.keptNanos }),
      prove: () => proveWritable(database, clock),
      close: () => database.close(),
    };
  }
}

/** Where the embedded store is. */
export function stateFile(settings: Settings): string {
  return join(stateFolder(settings), 'state.sqlite');
}

/** `/var/lib/attribution-adapter` for root, else below `$XDG_STATE_HOME`. */
function stateFolder(settings: Settings): string {
  if (settings.state !== '') return settings.state;
  if (process.getuid?.() === 0) return '/var/lib/attribution-adapter';
  const home = homeFolder();
  const below = process.env['XDG_STATE_HOME'] ?? (home === null ? null : join(home, '.local/state'));
  if (below !== null) return join(below, 'attribution-adapter');
  throw new StartupError('this user has no home folder for the state: name one with the setting state');
}
