import type { Episode, HistoryRow, HistoryStore } from '../core/history.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Log } from '../core/ports.ts';
import type { Session } from '../core/session.ts';
import { episodeRows, explainedBy } from './episode-rows.ts';
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
      if (problem === null) await store.record(episode, rows);
      else await store.add(episode, rows, explainedBy(rows, session));
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'history cannot be written: this failure is not remembered');
    }
  };
}

/** Records rows that were remembered elsewhere, episode by episode. */
export async function rememberAll(store: HistoryStore, rows: readonly HistoryRow[]): Promise<void> {
  for (const [first, ...others] of Map.groupBy(rows, episodeKey).values()) {
    if (first === undefined) continue;
    const { cluster, workloadId, workflowId, attemptIndex } = first;
    await store.record({ cluster, workloadId, workflowId, attemptIndex }, [first, ...others]);
  }
}
