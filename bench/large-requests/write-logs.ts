import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Written {
  readonly bytes: number;
  readonly lines: number;
}

export const nodeName = (node: number): string => `node-${String(node).padStart(2, '0')}`;

/** Half job text, half kernel logs of so many nodes; the fault of node-07 stands at the end of its log. Returns bytes and lines. */
export function writeLogs(root: string, total: number, nodes: number): Written {
  mkdirSync(join(root, 'job'));
  mkdirSync(join(root, 'kernel'));
  const written = [writeRepeated(join(root, 'job/train.out'), total / 2, jobLine, null)];
  for (let node = 1; node <= nodes; node += 1) {
    const name = nodeName(node);
    const fault =
      node === 7
        ? '2026-03-02T10:05:11.204311+00:00 node-07 kernel: NVRM: Xid (PCI:0000:b3:00): 79, pid=4711, name=python3, GPU has fallen off the bus.\n'
        : null;
    const line = (index: number): string => kernelLine(name, index);
    written.push(writeRepeated(join(root, `kernel/${name}.log`), total / (2 * nodes), line, fault));
  }
  return {
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
    lines: written.reduce((sum, { lines }) => sum + lines, 0),
  };
}

function writeRepeated(
  path: string,
  bytes: number,
  line: (index: number) => string,
  last: string | null,
): Written {
  const file = openSync(path, 'w');
  let written = 0;
  let index = 0;
  while (written < bytes) {
    let block = '';
    for (let inBlock = 0; inBlock < 500; inBlock += 1) block += line(index++);
    written += writeSync(file, block);
  }
  if (last !== null) written += writeSync(file, last);
  closeSync(file);
  return { bytes: written, lines: index + (last === null ? 0 : 1) };
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
  return `${rank}: ${nodeName((rank >> 3) + 1)}:${2000 + rank}:${2100 + rank} [${rank % 8}] NCCL INFO Channel ${index % 32}/0 : ${rank}[${rank % 8}] -> ${(rank + 1) % 128}[0] via P2P/CUMEM\n`;
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
