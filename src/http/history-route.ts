import { readHistoryAsked, renderHistoryPage } from '../contract/index.ts';
import type { HistoryStore } from '../core/history.ts';
import { json, type OperationsRoute, problem } from './operations-route.ts';

const forever = 2n ** 63n - 1n;

/** What failed attempts showed on nodes and devices, page by page; null where nothing is remembered. */
export function historyRoute(history: Pick<HistoryStore, 'find'> | null): OperationsRoute {
  return {
    path: '/v1/history',
    async answer({ query }) {
      if (history === null) return problem(404, 'Nothing is remembered: history.enabled is false');
      const read = readHistoryAsked(query);
      if (!read.ok) return problem(400, read.says);
      const { cluster, nodes, since, until, limit, ...only } = read.asked;
      const found = await history.find({
        cluster,
        nodes,
        uuids: [],
        from: since ?? 0n,
        to: until ?? forever,
        limit: limit + 1,
        only,
      });
      return json(200, renderHistoryPage(found.slice(0, limit), found.length > limit));
    },
  };
}
