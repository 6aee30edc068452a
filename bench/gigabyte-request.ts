import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../tests/support/service.ts';

/**
 * One request over a gigabyte of logs, while `/healthz` of the same process is probed: time of the answer, peak
 * resident memory, and percentiles of the probes. Fails above 512 MiB or above 50 ms at p99.
 */
const megabytes = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
try {
  const bytes = writeLogs(folder, megabytes * 1_000_000);
  console.log(`${(bytes / 1e6).toFixed(0)} MB of logs of 16 nodes`);
  const service = await startService(['--evidence', folder, '--state', join(folder, 'state')]);
  const probes: number[] = [];
  let answered = false;
  const probing = (async () => {
    while (!answered) {
      const start = performance.now();
      await (await fetch(`${service.url}/healthz`)).text();
      probes.push(performance.now() - start);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  })();
  const start = performance.now();
  const response = await fetch(`${service.url}/v1/attribution`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requestBody()),
  });
  const answer = (await response.json()) as { attributions: { target: unknown }[]; error: unknown };
  const seconds = (performance.now() - start) / 1000;
  answered = true;
  await probing;
  const peakMib = peakResidentMib(service.process.pid ?? 0);
  await service.stop();
  probes.sort((a, b) => a - b);
  const at = (share: number): number =>
    probes[Math.min(probes.length - 1, Math.floor(probes.length * share))] ?? Number.NaN;
  console.log(
    `answer after ${seconds.toFixed(1)} s: ${JSON.stringify(answer.attributions.map(finding => finding.target))}, error ${JSON.stringify(answer.error)}`,
  );
  console.log(`peak resident memory ${peakMib.toFixed(0)} MiB`);
  console.log(
    `healthz: ${probes.length} probes, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, max ${at(1).toFixed(1)} ms`,
  );
  const named = answer.attributions.some(finding => JSON.stringify(finding.target).includes('node-07'));
  // A short run sees little but the start of the process.
  const slow = megabytes >= 1000 && (at(0.99) > 50 || probes.length < 200);
  if (!named || peakMib > 512 || slow) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function requestBody(): unknown {
  return {
    schema_version: '0.1.0',
    workload_id: '12345',
    scope: {
      nodes: Array.from({ length: 16 }, (_, index) => `node-${String(index + 1).padStart(2, '0')}`),
      ranks: [],
    },
    failure_context: { detected_at: '2026-03-02T10:10:00Z', detection_signal: 'application_error' },
    timeout_ms: 120_000,
    workload_context: { workflow_id: 'bench', attempt_index: 0 },
    phase: 'fast',
  };
}

/** Half job text, half kernel logs; the fault of node-07 stands near the end of its log. */
function writeLogs(root: string, total: number): number {
  mkdirSync(join(root, 'job'));
  mkdirSync(join(root, 'kernel'));
  let written = writeRepeated(join(root, 'job/train.out'), total / 2, jobLine, null);
  for (let node = 1; node <= 16; node += 1) {
    const name = `node-${String(node).padStart(2, '0')}`;
    const fault =
      node === 7
        ? '2026-03-02T10:05:11.204311+00:00 node-07 kernel: NVRM: Xid (PCI:0000:b3:00): 79, pid=4711, name=python3, GPU has fallen off the bus.\n'
        : null;
    written += writeRepeated(
      join(root, `kernel/${name}.log`),
      total / 32,
      index => kernelLine(name, index),
      fault,
    );
  }
  return written;
}

function writeRepeated(
  path: string,
  bytes: number,
  line: (index: number) => string,
  last: string | null,
): number {
  const file = openSync(path, 'w');
  let written = 0;
  let index = 0;
  while (written < bytes) {
    let block = '';
    for (let inBlock = 0; inBlock < 5000; inBlock += 1) block += line(index++);
    written += writeSync(file, block);
  }
  if (last !== null) written += writeSync(file, last);
  closeSync(file);
  return written;
}

/** Spread over so many seconds from 10:00; training ends with the fault, kernels go on. */
function stamp(index: number, seconds: number): string {
  const offset = (index * 7) % seconds;
  return `2026-03-02T10:${String(Math.floor(offset / 60)).padStart(2, '0')}:${String(offset % 60).padStart(2, '0')}`;
}

function jobLine(index: number): string {
  const rank = index % 128;
  if (index % 64 === 0)
    return `${rank}: [${stamp(index, 300).replace('T', ' ')}] iteration ${index}/ 1000000 | consumed samples: ${index * 512} | elapsed time per iteration (ms): 812.4 | lm loss: 2.113E+00 | grad norm: 0.412 |\n`;
  return `${rank}: node-${String((rank >> 3) + 1).padStart(2, '0')}:${2000 + rank}:${2100 + rank} [${rank % 8}] NCCL INFO Channel ${index % 32}/0 : ${rank}[${rank % 8}] -> ${(rank + 1) % 128}[0] via P2P/CUMEM\n`;
}

function kernelLine(node: string, index: number): string {
  const texts = [
    'systemd[1]: Started session-412.scope - Session 412 of User user1.',
    'kernel: mlx5_core 0000:12:00.0: mlx5_pcie_event:299: Detected insufficient power on the PCIe slot (27W).',
    'kernel: pcieport 0000:00:03.0: AER: Corrected error received: 0000:00:03.0',
    'prometheus-node-exporter[812]: level=info msg="collector succeeded" name=cpu duration_seconds=0.0021',
    'kernel: perf: interrupt took too long (2512 > 2500), lowering kernel.perf_event_max_sample_rate to 79500',
  ];
  return `${stamp(index, 600)}.${String(index % 1_000_000).padStart(6, '0')}+00:00 ${node} ${texts[index % texts.length]}\n`;
}

function peakResidentMib(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
