import type { AuditEntry, AuditLimits, AuditStore } from '../core/audit.ts';
import type { Clock } from '../core/ports.ts';

/** Whatever the setting: memory is dearer than a disk. */
const mostBytes = 64 * 1024 * 1024;

/** Answers that are lost with the process. */
export function memoryAudit({ clock }: { readonly clock: Clock }, limits: AuditLimits): AuditStore {
  const most = Math.min(limits.bytes, mostBytes);
  /** In the order of recording. A set gives up its oldest at once; a list would move all the others. */
  const entries = new Set<AuditEntry>();
  let bytes = 0;

  function forget(): void {
    const oldest = clock.now() - limits.keptNanos;
    for (const entry of entries) {
      if (entry.at > oldest && bytes <= most) break;
      bytes -= entry.body.length;
      entries.delete(entry);
    }
  }

  return {
    async record(entry) {
      entries.add({ ...entry });
      bytes += entry.body.length;
      forget();
    },
    async find(id, limit) {
      forget();
      return [...entries]
        .filter(({ requestId, sessionId, workloadId }) => [requestId, sessionId, workloadId].includes(id))
        .reverse()
        .slice(0, limit);
    },
    async close() {},
  };
}
