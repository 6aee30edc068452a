import type { AuditStore } from '../../src/core/audit.ts';
import type { HistoryStore } from '../../src/core/history.ts';
import type { SessionStore } from '../../src/core/ports.ts';
import { minute } from '../../src/core/time.ts';
import { postgresAudit } from '../../src/history/postgres-audit.ts';
import { postgresHistory } from '../../src/history/postgres-history.ts';
import { sqliteAudit } from '../../src/history/sqlite-audit.ts';
import { sqliteHistory } from '../../src/history/sqlite-history.ts';
import { databaseSessionStore } from '../../src/sessions/database-store.ts';
import { defaultSessionLimits } from '../../src/sessions/session-limits.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/postgres/database.ts';
import type { PostgresSettings } from '../../src/storage/postgres/settings.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { silentLog } from '../../tests/support/silent-log.ts';

/** Where stores lie; it goes through a command line as JSON. */
export type Place =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly settings: PostgresSettings };

export interface StoresAt {
  readonly database: Database;
  readonly sessions: SessionStore;
  readonly history: HistoryStore;
  readonly audit: AuditStore;
}

/** Nothing is forgotten while it is counted. */
const keptNanos = 3_650n * 24n * 60n * minute;
const most = 100_000_000;

export async function openStoresAt(place: Place): Promise<StoresAt> {
  const tools = { clock: systemClock, log: silentLog };
  const sessionLimits = { ...defaultSessionLimits, lifetimeNanos: keptNanos, sessions: most };
  const historyLimits = { keptNanos, rows: most };
  const auditLimits = { keptNanos, bytes: Number.MAX_SAFE_INTEGER };
  if (place.kind === 'postgres') {
    const database = await openPostgres(place.settings);
    return {
      database,
      sessions: databaseSessionStore({ ...tools, database, limits: sessionLimits }),
      history: postgresHistory({ ...tools, database, limits: historyLimits }),
      audit: postgresAudit({ ...tools, database, limits: auditLimits }),
    };
  }
  const database = await openDatabase({ file: place.file });
  return {
    database,
    sessions: databaseSessionStore({ ...tools, database, limits: sessionLimits }),
    history: sqliteHistory({ ...tools, database, limits: historyLimits }),
    audit: sqliteAudit({ ...tools, database, limits: auditLimits }),
  };
}
