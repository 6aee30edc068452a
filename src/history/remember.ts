import type { Episode, HistoryRow, HistoryStore } from '../core/history.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Log } from '../core/ports.ts';
import type { Session } from '../core/session.ts';
import { addedTo, episodeRows } from './episode-rows.ts';
import { reasonOf } from './past.ts';
import { episodeKey } from './row-key.ts';

/**
 * Remembers an answered episode. An answer that was cut, failed or lacked evidence adds to what another one said, and
 * takes nothing back that it did not see itself; one without such a problem replaces it.
 */
export function rememberIn(
  store: HistoryStore,
  cluster: string,
  log: Log,
): (session: Session, outcome: Outcome) => Promise<void> {
  return async (session, outcome) => {
    const { findings, problem } = outcome;
    if (findings.length === 0 && problem !== null && problem.type !== 'insufficient_telemetry') return;
    const { workloadId, workflowId, attemptIndex } = session.binding;
    const episode: Episode = { cluster, workloadId, workflowId, attemptIndex };
    const rows = episodeRows(episode, session, findings);
    if (rows.length === 0 && problem !== null) return;
    try {
      const before = problem === null ? [] : await rowsOf(store, episode);
      await store.record(episode, addedTo(before, rows, session));
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'history cannot be written: this failure is not remembered');
    }
  };
}

/** Nanoseconds that any failure lies between. */
const [always, never] = [-(2n ** 63n), 2n ** 63n - 1n];

async function rowsOf(store: HistoryStore, episode: Episode): Promise<readonly HistoryRow[]> {
  const { cluster, workloadId, workflowId, attemptIndex } = episode;
  const rows = await store.find({
    cluster,
    nodes: null,
    uuids: [],
    from: always,
    to: never,
    limit: mostRows,
    only: { workloadId, workflowId, device: null, named: false, after: null },
  });
  return rows.filter(row => row.attemptIndex === attemptIndex);
}

/** More than a workload's attempts leave; see `episodeRows`. */
const mostRows = 10_000;

/** Records rows that were remembered elsewhere, episode by episode. */
export async function rememberAll(store: HistoryStore, rows: readonly HistoryRow[]): Promise<void> {
  for (const [first, ...others] of Map.groupBy(rows, episodeKey).values()) {
    if (first === undefined) continue;
    const { cluster, workloadId, workflowId, attemptIndex } = first;
    await store.record({ cluster, workloadId, workflowId, attemptIndex }, [first, ...others]);
  }
}
