import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../tests/support/service.ts';
import { writeMixedLogs } from './recognition/mixed-logs.ts';

/**
 * A job log of 100 MB (or as many as the argument says) end to end: request, reading, recognition, reasoning, answer,
 * over HTTP and by a service whose workers are warm. Fails where the best of the answers takes more than a second.
 */
const megabytes = Number(process.argv[2] ?? 100);
const answers = 8;
const mostSeconds = 1;
const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
try {
  mkdirSync(join(folder, 'evidence/job'), { recursive: true });
  const [, log] = writeMixedLogs(join(folder, 'evidence/job'), megabytes * 2e6, 2);
  rmSync(join(folder, 'evidence/job/kernel-0.log'));
  if (log === undefined) throw new Error('no job log was written');
  appendFileSync(log.path, '3: RuntimeError: shard 12 of 4096 has no such tensor\n');
  const service = await startService([
    '--evidence',
    join(folder, 'evidence'),
    '--state',
    join(folder, 'state'),
  ]);
  const pid = service.process.pid ?? 0;
  const taken: { readonly seconds: number; readonly cpuSeconds: number }[] = [];
  for (let count = 0; count < answers; count += 1) {
    const [start, cpu] = [performance.now(), cpuSeconds(pid)];
    const response = await fetch(`${service.url}/v1/attribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request(count)),
    });
    const answer = (await response.json()) as { error: { type: string } | null };
    if (response.status !== 200 || answer.error?.type === 'timeout') throw new Error('the answer failed');
    taken.push({ seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSeconds(pid) - cpu });
  }
  await service.stop();
  const [first, ...warm] = taken;
  const best = warm.reduce((least, each) => (each.seconds < least.seconds ? each : least));
  console.log(
    `job log of ${(statSync(log.path).size / 1e6).toFixed(0)} MB: first answer after ${first?.seconds.toFixed(2)} s, warm ${best.seconds.toFixed(2)} s (${best.cpuSeconds.toFixed(2)} s of processor time)`,
  );
  if (best.seconds > (mostSeconds * Math.max(megabytes, 100)) / 100) {
    console.log(`missed: more than ${mostSeconds} s for 100 MB`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function request(count: number): unknown {
  return {
    schema_version: '0.1.0',
    workload_id: String(1000 + count),
    scope: { nodes: ['node-01', 'node-02'], ranks: [] },
    failure_context: { detected_at: '2026-03-02T10:10:00Z', detection_signal: 'application_error' },
    timeout_ms: 60_000,
    workload_context: { workflow_id: 'bench', attempt_index: 0 },
    phase: 'fast',
  };
}

/** User and system time of a process so far, from the kernel's count in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
