import type { AuditEntry, AuditLimits, AuditStore } from '../core/audit.ts';
import type { Clock } from '../core/ports.ts';

/** Whatever the setting: memory is dearer than a disk. */
const mostBytes = 64 * 1024 * 1024;

/** Answers that are lost with the process. */
export function memoryAudit({ clock }: { readonly clock: Clock }, limits: AuditLimits): AuditStore {
  const most = Math.min(limits.bytes, mostBytes);
  const entries: AuditEntry[] = [];
  let bytes = 0;

  function forget(): void {
    const oldest = clock.now() - limits.keptNanos;
    let gone = 0;
    for (const { at, body } of entries) {
      if (at > oldest && bytes <= most) break;
      bytes -= body.length;
      gone += 1;
    }
    entries.splice(0, gone);
  }

  return {
    async record(entry) {
      entries.push(entry);
      bytes += entry.body.length;
      forget();
    },
    async find(id, limit) {
      forget();
      return entries
        .filter(({ requestId, sessionId, workloadId }) => [requestId, sessionId, workloadId].includes(id))
        .reverse()
        .slice(0, limit);
    },
    async close() {},
  };
}
