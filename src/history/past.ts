import type { HistoryStore, Past } from '../core/history.ts';
import type { Log } from '../core/ports.ts';
import type { Nanos } from '../core/time.ts';

/** More rows decide nothing that fewer do not. */
const mostRows = 5_000;

/** What a provider may ask of a history. One that cannot be read is told in the log, and nothing is known of it. */
export function pastOf(store: HistoryStore, cluster: string, keptNanos: Nanos, log: Log): Past {
  return {
    async before(moment, nodes, uuids) {
      try {
        const from = moment - keptNanos;
        return await store.find({ cluster, nodes, uuids, from, to: moment, limit: mostRows });
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'history cannot be read: what happened before does not count');
        return [];
      }
    },
  };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}
