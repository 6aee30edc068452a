import type { HistoryHit, HistorySearch } from '../contract/dialect/index.ts';
import type { HistoryStore } from '../core/history.ts';

/** Rows looked through at the most: many are of nodes that were not named. */
const mostRows = 50_000;
const endOfTime = 253_402_300_799_999_999_999n;

/** Nodes that were named in earlier episodes, once an episode, the newest first. Ambiguous symptoms accuse nobody here. */
export function namedNodes(store: HistoryStore): (search: HistorySearch) => Promise<readonly HistoryHit[]> {
  return async ({ cluster, nodes, from, to, size }) => {
    const rows = await store.find({
      cluster,
      nodes,
      uuids: [],
      from: from ?? 0n,
      to: to ?? endOfTime,
      limit: mostRows,
    });
    const hits = new Map<string, HistoryHit>();
    for (const { finding, node, workloadId, attemptIndex, at, ...row } of rows) {
      const key = JSON.stringify([row.cluster, node, workloadId, attemptIndex]);
      if (finding === null || hits.has(key)) continue;
      hits.set(key, { cluster: row.cluster, node, jobId: workloadId, cycle: attemptIndex, at });
    }
    return [...hits.values()].slice(0, size);
  };
}
