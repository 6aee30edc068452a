import type { Episode, HistoryFilter, HistoryQuery, HistoryRow, HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import type { Nanos } from '../core/time.ts';
import { addedTo } from './episode-rows.ts';
import { defaultHistoryLimits, type HistoryLimits } from './history-limits.ts';
import { deviceKey, episodeKey, newestFirst, placeOf } from './row-key.ts';

interface RecordedEpisode {
  readonly at: Nanos;
  readonly rows: readonly HistoryRow[];
}

/** History that is lost with the process. */
export function memoryHistory(
  { clock }: { readonly clock: Clock },
  limits: HistoryLimits = defaultHistoryLimits,
): HistoryStore {
  /** In the order of recording, the oldest first. */
  const episodes = new Map<string, RecordedEpisode>();
  /** Of all episodes: counted as they come and go, since each answer records one. */
  let rowCount = 0;

  function drop(key: string): void {
    rowCount -= episodes.get(key)?.rows.length ?? 0;
    episodes.delete(key);
  }

  function forget(): void {
    const oldest = clock.now() - limits.keptNanos;
    for (const [key, { at }] of episodes) {
      if (at > oldest && rowCount <= limits.rows) break;
      drop(key);
    }
  }

  function replace(episode: Episode, rows: readonly HistoryRow[]): void {
    const key = episodeKey(episode);
    drop(key);
    const byDevice = new Map(
      rows.map(row => [JSON.stringify([row.node, deviceKey(row)]), { ...row, ...episode }]),
    );
    rowCount += byDevice.size;
    if (byDevice.size > 0) episodes.set(key, { at: clock.now(), rows: [...byDevice.values()] });
    forget();
  }

  return {
    async record(episode, rows) {
      replace(episode, rows);
    },
    async add(episode, rows, explained) {
      forget();
      replace(episode, addedTo(episodes.get(episodeKey(episode))?.rows ?? [], rows, explained));
    },
    async find(query) {
      forget();
      const all = [...episodes.values()].flatMap(episode => episode.rows);
      return all
        .filter(row => isWanted(row, query))
        .sort((a, b) => newestFirst(placeOf(a), placeOf(b)))
        .slice(0, query.limit);
    },
    async close() {},
  };
}

function isWanted(row: HistoryRow, { cluster, nodes, uuids, from, to, only }: HistoryQuery): boolean {
  if (row.at < from || row.at >= to || (only !== undefined && !passes(row, only))) return false;
  const ofGpu = row.uuid !== null && uuids.includes(row.uuid);
  const ofNode = (cluster === null || row.cluster === cluster) && (nodes === null || nodes.includes(row.node));
  return ofGpu || ofNode;
}

function passes(row: HistoryRow, { workloadId, workflowId, device, named, after }: HistoryFilter): boolean {
  return (
    (workloadId === null || row.workloadId === workloadId) &&
    (workflowId === null || row.workflowId === workflowId) &&
    (device === null || row.uuid === device || row.pci === device) &&
    (!named || row.finding !== null) &&
    (after === null || newestFirst(after, placeOf(row)) < 0)
  );
}
