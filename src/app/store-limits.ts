import type { Settings } from '../config/settings.ts';
import type { AuditLimits } from '../core/audit.ts';
import { minute } from '../core/time.ts';
import type { HistoryLimits } from '../history/history-limits.ts';
import { defaultSessionLimits, type SessionLimits } from '../sessions/session-limits.ts';

const day = 24n * 60n * minute;

export function sessionLimitsOf({ sessions: { days, most, answers, bytes } }: Settings): SessionLimits {
  return {
    ...defaultSessionLimits,
    compressedBytes: bytes,
    answers,
    sessions: most,
    lifetimeNanos: BigInt(days) * day,
  };
}

export function historyLimitsOf({ history: { days, rows } }: Settings): HistoryLimits {
  return { keptNanos: BigInt(days) * day, rows };
}

export function auditLimitsOf({ audit: { days, megabytes } }: Settings): AuditLimits {
  return { keptNanos: BigInt(days) * day, bytes: megabytes * 1024 * 1024 };
}
