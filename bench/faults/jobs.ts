import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A failed job with nodes of its own: whose data an answer holds shows in its names. */
export interface FailedJob {
  readonly workloadId: string;
  /** The node to be named; null where nobody is. */
  readonly guilty: string | null;
  readonly nodes: readonly string[];
}

/** Of two nodes, the first of which lost a GPU. */
export function jobOf(at: number): FailedJob {
  const name = `node-${String(at).padStart(5, '0')}`;
  return { workloadId: `${70_000 + at}`, guilty: `${name}a`, nodes: [`${name}a`, `${name}b`] };
}

const day = '2026-03-02';
const healthy = [
  'kernel: usb 1-1: new high-speed USB device number 2',
  'systemd[1]: Started Daily apt activities.',
];
const fatal =
  "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

/** Writes the kernel logs of jobs below a folder, and returns the source that reads them. */
export function writeEvidence(folder: string, jobs: readonly FailedJob[]): object {
  mkdirSync(join(folder, 'kernel'), { recursive: true });
  for (const { guilty, nodes } of jobs) {
    for (const node of nodes) {
      const lines = node === guilty ? [...healthy, fatal] : healthy;
      const text = lines.map((line, at) => `${day}T10:0${at}:30.000000+00:00 ${node} ${line}\n`);
      writeFileSync(join(folder, 'kernel', `${node}.log`), text.join(''));
    }
  }
  const templates = [{ path: 'kernel/{node}.log', origin: 'kernel' }];
  return { name: 'logs', kind: 'files', roots: [{ path: folder, templates }] };
}

/** What a recovery controller asks about it. `slow` continues a session and names the window of the epilog. */
export function requestOf(
  { workloadId, nodes }: FailedJob,
  phase: 'fast' | 'slow',
  session: string | null,
  timeoutMs = 20_000,
): object {
  const epilog = { start_time: `${day}T10:05:00Z`, end_time: `${day}T10:07:00Z` };
  return {
    schema_version: '0.1.0',
    workload_id: workloadId,
    scope: { nodes, ranks: [], ...(phase === 'slow' ? epilog : {}) },
    failure_context: { detected_at: `${day}T10:04:00Z`, detection_signal: 'application_error' },
    timeout_ms: timeoutMs,
    workload_context: { workflow_id: `workflow-${workloadId}`, attempt_index: 0 },
    phase,
    ...(session === null ? {} : { continue_session: session }),
  };
}
