import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FailedJob, requestOf } from '../faults/jobs.ts';

const nodesAJob = 4;
const kernelLines = 300;
const jobLines = 600;
const day = '2026-03-02';

/** Of three jobs one lost a GPU, one had an uncorrectable memory error, and one left no trace on any node. */
export function incidentOf(at: number): FailedJob {
  const name = `node-${String(at).padStart(4, '0')}`;
  const nodes = Array.from({ length: nodesAJob }, (_, index) => `${name}${'abcd'[index]}`);
  return { workloadId: `${80_000 + at}`, guilty: at % 3 === 2 ? null : (nodes[at % nodesAJob] ?? null), nodes };
}

const faults = [
  "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
  'kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=4711, name=python3, DBE (double bit error) ECC Error',
];

/** Writes what the nodes and the job logged, about 130 kB a job, and returns the source that reads it. */
export function writeIncidents(folder: string, incidents: readonly FailedJob[]): object {
  for (const part of ['kernel', 'job']) mkdirSync(join(folder, part), { recursive: true });
  for (const [at, { workloadId, guilty, nodes }] of incidents.entries()) {
    for (const node of nodes) {
      const lines = Array.from({ length: kernelLines }, (_, index) => kernelLine(node, index));
      if (node === guilty) lines.push(`${day}T10:03:30.000000+00:00 ${node} ${faults[at % 3]}\n`);
      writeFileSync(join(folder, 'kernel', `${node}.log`), lines.join(''));
    }
    const lines = Array.from({ length: jobLines }, (_, index) => jobLine(nodes, index));
    writeFileSync(join(folder, 'job', `${workloadId}.log`), lines.join(''));
  }
  const templates = [
    { path: 'kernel/{node}.log', origin: 'kernel' },
    { path: 'job/{workload_id}.log', origin: 'job' },
  ];
  return { name: 'logs', kind: 'files', roots: [{ path: folder, templates }] };
}

/** A question that no other is the same as, so that each is analysed: only the time it may take differs. */
export function questionAbout(
  incident: FailedJob,
  phase: 'fast' | 'slow',
  session: string | null,
  number: number,
): object {
  return requestOf(incident, phase, session, 20_000 + (number % 20_000));
}

function stamp(index: number, of: number): string {
  const seconds = Math.floor((index * 230) / of);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${day}T10:${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

function kernelLine(node: string, index: number): string {
  const texts = [
    'systemd[1]: Started session-412.scope - Session 412 of User user1.',
    'kernel: pcieport 0000:00:03.0: AER: Corrected error received: 0000:00:03.0',
    'kernel: perf: interrupt took too long (2512 > 2500), lowering kernel.perf_event_max_sample_rate to 79500',
    'sshd[812]: Connection closed by 10.0.0.7 port 41234 [preauth]',
  ];
  return `${stamp(index, kernelLines)}.000000+00:00 ${node} ${texts[index % texts.length]}\n`;
}

function jobLine(nodes: readonly string[], index: number): string {
  const rank = index % (8 * nodes.length);
  const node = nodes[rank >> 3];
  const time = stamp(index, jobLines).replace('T', ' ');
  return index % 16 === 0
    ? `${rank}: [${time}] iteration ${index}/ 1000000 | consumed samples: ${index * 512} | elapsed time per iteration (ms): 812.4 | lm loss: 2.113E+00 |\n`
    : `${rank}: ${node}:${2000 + rank}:${2100 + rank} [${rank % 8}] NCCL INFO Channel ${index % 32}/0 : ${rank}[${rank % 8}] -> ${rank + 1}[0] via P2P/CUMEM\n`;
}
