import type { Episode, HistoryFilter, HistoryPlace, HistoryRow } from '../core/history.ts';
import type { Row, SqlValue } from '../storage/statement.ts';
import { deviceKey } from './row-key.ts';

/** The columns of a row below its episode, in the order of the tables. */
export function columnsOf(row: Omit<HistoryRow, keyof Episode>): readonly SqlValue[] {
  const { node, uuid, pci, symptom, code, title, strength, alike, finding, at } = row;
  return [node, deviceKey(row), uuid, pci, symptom, code, title, strength, alike, finding, at];
}

export function rowOf(row: Row): HistoryRow {
  return {
    cluster: row['cluster'] as string,
    workloadId: row['workload_id'] as string,
    workflowId: row['workflow_id'] as string,
    attemptIndex: Number(row['attempt_index']),
    node: row['node'] as string,
    uuid: row['uuid'] as string | null,
    pci: row['pci'] as string | null,
    symptom: row['symptom'] as string,
    code: row['code'] as string | null,
    title: row['title'] as string,
    strength: row['strength'] as HistoryRow['strength'],
    alike: Number(row['alike']),
    finding: row['finding'] as HistoryRow['finding'],
    at: row['at'] as bigint,
  };
}

/** What narrows a search: workload, workflow, device, 1 for named nodes only, and the seven values of a place. */
export function filterValues(only: HistoryFilter | undefined): readonly SqlValue[] {
  if (only === undefined) return [null, null, null, 0, ...placeless];
  const { workloadId, workflowId, device, named, after } = only;
  const place = after === null ? placeless : placeValues(after);
  return [workloadId, workflowId, device, named ? 1 : 0, ...place];
}

const placeless = [null, null, null, null, null, null, null];

function placeValues(place: HistoryPlace): readonly SqlValue[] {
  const { at, node, device, cluster, workloadId, workflowId, attemptIndex } = place;
  return [at, node, device, cluster, workloadId, workflowId, attemptIndex];
}
