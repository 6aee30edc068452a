import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { facts, kernelLine, type SeededSecret, seededSecrets } from './seeded-secrets.ts';

/** A failed job whose node's kernel log holds some of the secrets, in lines that convict it. */
export interface SeededJob {
  readonly workloadId: string;
  readonly secrets: readonly SeededSecret[];
}

/** So many lines of one symptom are cited. */
const linesCited = 3;

export const seededJobs: readonly SeededJob[] = Array.from(
  { length: Math.ceil(seededSecrets.length / linesCited) },
  (_, at) => ({
    workloadId: String(7_000 + at),
    secrets: seededSecrets.slice(at * linesCited, (at + 1) * linesCited),
  }),
);

/** Lines of the node's kernel, a second apart. */
export function linesOf({ secrets }: SeededJob): readonly string[] {
  return secrets.map(({ text }) => kernelLine(text));
}

/** Writes `<workload>/kernel/<node>.log` below a folder for every job. */
export function writeSeededEvidence(folder: string): void {
  for (const job of seededJobs) {
    const kernel = join(folder, job.workloadId, 'kernel');
    mkdirSync(kernel, { recursive: true });
    const lines = linesOf(job).map(
      (line, at) => `2026-11-30T12:03:0${at}.000000+00:00 ${facts.node} kernel: ${line}\n`,
    );
    writeFileSync(join(kernel, `${facts.node}.log`), lines.join(''));
  }
}

/** A request about one of the jobs. */
export function requestAbout(workloadId: string): string {
  return JSON.stringify({
    schema_version: '0.1.0',
    workload_id: workloadId,
    scope: { nodes: [facts.node], ranks: [] },
    failure_context: { detected_at: '2026-11-30T12:05:00Z', detection_signal: 'crash' },
    timeout_ms: 60_000,
    workload_context: { workflow_id: `w-${workloadId}`, attempt_index: 0 },
    phase: 'fast',
  });
}
