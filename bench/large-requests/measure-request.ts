import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../tests/support/service.ts';
import { nodeName, type Written, writeLogs } from './write-logs.ts';

/** What one request over generated logs took. `probesMs`: answers of `/healthz` meanwhile, sorted. */
export interface MeasuredRequest {
  readonly written: Written;
  readonly seconds: number;
  readonly isNodeNamed: boolean;
  readonly answer: string;
  readonly peakMib: number;
  readonly probesMs: readonly number[];
}

/** Writes logs, starts a service over them, sends one request and probes `/healthz` of the same process until its answer. */
export async function measureRequest(bytes: number, nodes: number): Promise<MeasuredRequest> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
  try {
    const written = writeLogs(folder, bytes, nodes);
    const service = await startService(['--evidence', folder, '--state', join(folder, 'state')]);
    const probesMs: number[] = [];
    let answered = false;
    const probing = (async () => {
      while (!answered) {
        const start = performance.now();
        await (await fetch(`${service.url}/healthz`)).text();
        probesMs.push(performance.now() - start);
        await new Promise(resolve => setTimeout(resolve, 2));
      }
    })();
    const start = performance.now();
    const response = await fetch(`${service.url}/v1/attribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody(nodes)),
    });
    const { attributions, error } = (await response.json()) as Answer;
    const seconds = (performance.now() - start) / 1000;
    answered = true;
    await probing;
    const peakMib = peakResidentMib(service.process.pid ?? 0);
    await service.stop();
    const targets = attributions.map(({ target }) => JSON.stringify(target));
    return {
      written,
      seconds,
      isNodeNamed: targets.length === 1 && targets[0]?.includes('"node-07"') === true,
      answer: `[${targets.join()}], error ${JSON.stringify(error)}`,
      peakMib,
      probesMs: probesMs.sort((a, b) => a - b),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Answer {
  readonly attributions: readonly { readonly target: unknown }[];
  readonly error: unknown;
}

/** Prints a measured request in three lines. */
export function printRequest(title: string, request: MeasuredRequest): void {
  const { written, seconds, answer, peakMib, probesMs } = request;
  const [p50, p99, most] = [0.5, 0.99, 1].map(share => percentile(probesMs, share).toFixed(1));
  console.log(`${title}: ${(written.bytes / 1e6).toFixed(0)} MB, ${written.lines} lines`);
  console.log(`  answer after ${seconds.toFixed(1)} s: ${answer}`);
  console.log(`  peak resident memory ${peakMib.toFixed(0)} MiB`);
  console.log(`  healthz: ${probesMs.length} probes, p50 ${p50} ms, p99 ${p99} ms, max ${most} ms`);
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function requestBody(nodes: number): unknown {
  return {
    schema_version: '0.1.0',
    workload_id: '12345',
    scope: { nodes: Array.from({ length: nodes }, (_, index) => nodeName(index + 1)), ranks: [] },
    failure_context: { detected_at: '2026-03-02T10:10:00Z', detection_signal: 'application_error' },
    timeout_ms: 300_000,
    workload_context: { workflow_id: 'bench', attempt_index: 0 },
    phase: 'fast',
  };
}

function peakResidentMib(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
