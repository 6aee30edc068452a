import type { Episode, HistoryRow } from '../core/history.ts';

export function episodeKey({ cluster, workloadId, workflowId, attemptIndex }: Episode): string {
  return JSON.stringify([cluster, workloadId, workflowId, attemptIndex]);
}

/** The device of a row: its UUID where known, else its PCI address, else empty for the node as a whole. */
export function deviceKey({ uuid, pci }: Pick<HistoryRow, 'uuid' | 'pci'>): string {
  return uuid ?? pci ?? '';
}

/** Newest first, then by node and device. */
export function newestFirst(a: HistoryRow, b: HistoryRow): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  if (a.node !== b.node) return a.node < b.node ? -1 : 1;
  const [x, y] = [deviceKey(a), deviceKey(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
