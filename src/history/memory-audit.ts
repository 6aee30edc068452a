import type { AuditEntry, AuditLimits, AuditStore } from '../core/audit.ts';
import type { Clock } from '../core/ports.ts';

/** Whatever the setting: memory is dearer than a disk. */
const mostBytes = 64 * 1024 * 1024;

/** Answers that are lost with the process. */
export function memoryAudit({ clock }: { readonly clock: Clock }, limits: AuditLimits): AuditStore {
  const most = Math.min(limits.bytes, mostBytes);
  /** Numbered, in the order of recording. A map gives up its oldest at once; a list would move all the others. */
  const entries = new Map<AuditEntry, bigint>();
  let recorded = 0n;
  let bytes = 0;

  function forget(): void {
    const oldest = clock.now() - limits.keptNanos;
    for (const entry of entries.keys()) {
      if (entry.at > oldest && bytes <= most) break;
      bytes -= entry.body.length;
      entries.delete(entry);
    }
  }

  return {
    async record(entry) {
      recorded += 1n;
      entries.set({ ...entry }, recorded);
      bytes += entry.body.length;
      forget();
    },
    async find(id, limit) {
      forget();
      return [...entries.keys()]
        .filter(({ requestId, sessionId, workloadId }) => [requestId, sessionId, workloadId].includes(id))
        .reverse()
        .slice(0, limit);
    },
    async page(after, limit) {
      forget();
      const later = [...entries]
        .filter(([{ at }, id]) => at > after.at || (at === after.at && id > after.id))
        .sort(([a, idOfA], [b, idOfB]) => (a.at === b.at ? Number(idOfA - idOfB) : a.at < b.at ? -1 : 1))
        .slice(0, limit);
      const last = later.at(-1);
      return {
        entries: later.map(([entry]) => entry),
        next: last === undefined ? null : { at: last[0].at, id: last[1] },
      };
    },
    async close() {},
  };
}
