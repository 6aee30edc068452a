import type { Episode, HistoryPlace, HistoryRow } from '../core/history.ts';

export function episodeKey({ cluster, workloadId, workflowId, attemptIndex }: Episode): string {
  return JSON.stringify([cluster, workloadId, workflowId, attemptIndex]);
}

/** The device of a row: its UUID where known, else its PCI address, else empty for the node as a whole. */
export function deviceKey({ uuid, pci }: Pick<HistoryRow, 'uuid' | 'pci'>): string {
  return uuid ?? pci ?? '';
}

export function placeOf(row: HistoryRow): HistoryPlace {
  return { ...row, device: deviceKey(row) };
}

const order = ['node', 'device', 'cluster', 'workloadId', 'workflowId', 'attemptIndex'] as const;

/** Newest first, then by node, device and episode. */
export function newestFirst(a: HistoryPlace, b: HistoryPlace): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  const differs = order.find(name => a[name] !== b[name]);
  return differs === undefined ? 0 : a[differs] < b[differs] ? -1 : 1;
}
