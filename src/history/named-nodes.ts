import type { HistoryHit, HistoryHits, HistorySearch } from '../contract/dialect/index.ts';
import type { HistoryStore } from '../core/history.ts';
import type { Clock } from '../core/ports.ts';
import { minute } from '../core/time.ts';
import { isShadowCluster } from './shadow-cluster.ts';

/** Rows looked through at the most: one a device of a named node. */
const mostRows = 50_000;

/**
 * A failure is told of only once it is so old: a client that does not know when its cycle began asks up to the present,
 * and would take the failure that it asks about for an earlier one.
 */
const settledAfter = minute;

/**
 * Nodes that were named in earlier episodes, once an episode, the newest first. Ambiguous symptoms accuse nobody here, nor
 * does what was only concluded in shadow mode.
 */
export function namedNodes(store: HistoryStore, clock: Clock): (search: HistorySearch) => Promise<HistoryHits> {
  return async ({ cluster, nodes, from, to, skip, size }) => {
    const settled = clock.now() - settledAfter;
    const rows = await store.find({
      cluster,
      nodes,
      uuids: [],
      from: from ?? 0n,
      to: to !== null && to < settled ? to : settled,
      limit: mostRows,
      only: { workloadId: null, workflowId: null, device: null, named: true, after: null },
    });
    const hits = new Map<string, HistoryHit>();
    for (const { finding, node, workloadId, attemptIndex, at, ...row } of rows) {
      const key = JSON.stringify([row.cluster, node, workloadId, attemptIndex]);
      if (finding === null || isShadowCluster(row.cluster) || hits.has(key)) continue;
      hits.set(key, { cluster: row.cluster, node, jobId: workloadId, cycle: attemptIndex, at });
    }
    return {
      hits: [...hits.values()].slice(skip, skip + size),
      total: hits.size,
      isTotalExact: rows.length < mostRows,
    };
  };
}
