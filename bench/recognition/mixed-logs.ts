import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomOf } from '../incidents/random.ts';
import type { CorpusFile } from './corpus-file.ts';

/** One line in so many holds a keyword. */
const linesPerHit = 10_000;
const blockLines = 4_000;

type Line = (random: Random, index: number) => string;

/**
 * Writes `files` logs of `bytes` together, kernel logs and job logs in turn, as a cluster keeps them: of 10,000 lines
 * one says something that a rule looks at.
 */
export function writeMixedLogs(folder: string, bytes: number, files: number): readonly CorpusFile[] {
  return Array.from({ length: files }, (_, index) => {
    const origin = index % 2 === 0 ? 'kernel' : 'job';
    const path = join(folder, `${origin}-${index}.log`);
    const random = randomOf(`mixed/${index}`);
    if (origin === 'kernel') writeLog(path, bytes / files, random, kernelNoise, kernelHits);
    else writeLog(path, bytes / files, random, jobNoise, jobHits);
    return { path, origin };
  });
}

function writeLog(
  path: string,
  bytes: number,
  random: Random,
  noise: readonly Line[],
  hits: readonly Line[],
): void {
  const file = openSync(path, 'w');
  let index = 0;
  for (let written = 0; written < bytes; ) {
    let block = '';
    for (let line = 0; line < blockLines; line += 1, index += 1) {
      const lines = index % linesPerHit === linesPerHit >> 1 ? hits : noise;
      block += `${random.pick(lines)(random, index)}\n`;
    }
    written += writeSync(file, block);
  }
  closeSync(file);
}

const two = (value: number): string => String(value).padStart(2, '0');
/** A chatty hour: a log of 100 MB takes some ten minutes. */
const linesPerSecond = 2000;
const clock = (index: number): string => {
  const seconds = Math.floor(index / linesPerSecond);
  return `${two(10 + (Math.floor(seconds / 3600) % 14))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};
const node = (random: Random): string => `node-${two(random.int(1, 64))}`;
const pci = (random: Random): string => `0000:${random.hex(2)}:00.0`;

const from = (process: string, text: (random: Random) => string): Line => {
  return (random, index) =>
    `2026-03-02T${clock(index)}.${random.int(100_000, 999_999)}+00:00 ${node(random)} ${process}: ${text(random)}`;
};
const kernel = (text: (random: Random) => string): Line => from('kernel', text);

const kernelNoise: readonly Line[] = [
  from('systemd[1]', random => `Started session-${random.int(1, 9999)}.scope - Session of User user1.`),
  from('systemd[1]', () => 'logrotate.service: Deactivated successfully.'),
  from(
    'sshd[21714]',
    random =>
      `Accepted publickey for user1 from 10.0.0.${random.int(1, 254)} port ${random.int(30_000, 60_000)} ssh2`,
  ),
  from('sshd[21714]', () => 'pam_unix(sshd:session): session opened for user user1(uid=1000) by (uid=0)'),
  from('CRON[9120]', () => '(root) CMD (test -x /usr/sbin/anacron || run-parts --report /etc/cron.hourly)'),
  from(
    'prometheus-node-exporter[812]',
    random => `level=info msg="collector succeeded" name=cpu duration_seconds=0.00${random.int(10, 99)}`,
  ),
  from(
    'dhclient[1022]',
    random => `DHCPACK of 10.0.0.${random.int(1, 254)} from 10.0.0.1 (xid=0x${random.hex(8)})`,
  ),
  from(
    'chronyd[901]',
    random =>
      `Selected source 10.0.0.${random.int(1, 9)}, offset ${random.between(0, 0.001).toFixed(9)} seconds`,
  ),
  from(
    'slurmd[1841]',
    random =>
      `launch task StepId=${random.int(1000, 9999)}.0 request from UID:1000 GID:1000 HOST:10.0.0.1 PORT:${random.int(30_000, 60_000)}`,
  ),
  from(
    'containerd[1400]',
    random =>
      `time="2026-03-02T10:00:00Z" level=info msg="StartContainer for \\"${random.hex(64)}\\" returns successfully"`,
  ),
  kernel(
    random =>
      `audit: type=1400 audit(1772445600.${random.int(100, 999)}:${random.int(1, 9999)}): apparmor="STATUS" operation="profile_load" name="docker-default" pid=${random.int(1000, 60_000)}`,
  ),
  kernel(
    random =>
      `perf: interrupt took too long (${random.int(2500, 9999)} > 2500), lowering kernel.perf_event_max_sample_rate to 79500`,
  ),
  kernel(
    random => `usb 3-${random.int(1, 8)}: new high-speed USB device number ${random.int(2, 99)} using xhci_hcd`,
  ),
  kernel(random => `device veth${random.hex(7)} entered promiscuous mode`),
  kernel(random => `docker0: port ${random.int(1, 9)}(veth${random.hex(7)}) entered forwarding state`),
  kernel(random => `IPv6: ADDRCONF(NETDEV_CHANGE): veth${random.hex(7)}: link becomes ready`),
  kernel(random => `nvidia-uvm: Loaded the UVM driver, major device number ${random.int(230, 240)}.`),
  kernel(random => `nvme nvme${random.int(0, 7)}: ${random.int(16, 128)}/0/0 default/read/poll queues`),
  kernel(random => `pci ${pci(random)}: BAR 14: assigned [mem 0x${random.hex(8)}-0x${random.hex(8)}]`),
];

const kernelHits: readonly Line[] = [
  kernel(
    random =>
      `NVRM: Xid (PCI:${pci(random).slice(0, -2)}): ${random.pick([13, 31, 43, 45, 63, 79, 94])}, pid=${random.int(1000, 60_000)}, name=python3, Ch 00000008`,
  ),
  kernel(random => `mlx5_core ${pci(random)} ib0: Link down`),
  kernel(random => `INFO: task python3:${random.int(1000, 60_000)} blocked for more than 120 seconds.`),
  kernel(
    random =>
      `Memory cgroup out of memory: Killed process ${random.int(1000, 60_000)} (python3) total-vm:182734kB`,
  ),
];

const nccl = (text: (random: Random) => string): Line => {
  return random =>
    `${node(random)}:${random.int(2000, 9000)}:${random.int(2000, 9000)} [${random.int(0, 7)}] NCCL INFO ${text(random)}`;
};
const program = (level: string, text: (random: Random) => string): Line => {
  return (random, index) =>
    `${random.int(0, 511)}: 2026-03-02 ${clock(index)},${random.int(100, 999)} [${level}] ${text(random)}`;
};

const jobNoise: readonly Line[] = [
  nccl(
    random =>
      `Channel ${two(random.int(0, 31))}/0 : ${random.int(0, 511)}[${random.int(0, 7)}] -> ${random.int(0, 511)}[0] via P2P/CUMEM/read`,
  ),
  nccl(
    random =>
      `Channel ${two(random.int(0, 31))}/0 : ${random.int(0, 511)}[0] -> ${random.int(0, 511)}[0] [send] via NET/IB/${random.int(0, 7)}/GDRDMA`,
  ),
  nccl(() => 'Connected all rings'),
  nccl(
    random =>
      `Trees [0] ${random.int(0, 511)}/-1/-1->${random.int(0, 511)}->${random.int(0, 511)} [1] ${random.int(0, 511)}/-1/-1`,
  ),
  nccl(() => 'P2P Chunksize set to 524288'),
  program(
    'INFO',
    random =>
      `data/loader.py:211: shard ${random.int(1, 4096)} of 4096 opened in ${random.between(0, 3).toFixed(3)} s, ${random.int(1, 999)} documents`,
  ),
  program(
    'INFO',
    random =>
      `memory allocated ${random.between(10, 70).toFixed(2)} GiB, reserved ${random.between(60, 78).toFixed(2)} GiB, peak ${random.between(60, 78).toFixed(2)} GiB`,
  ),
  program(
    'INFO',
    random =>
      `tokens/s/gpu ${random.int(2000, 9000)} mfu ${random.between(0.3, 0.5).toFixed(4)} wait for batch ${random.int(1, 40)} ms`,
  ),
  program(
    'INFO',
    random =>
      `evaluation perplexity ${random.between(5, 20).toFixed(3)} over ${random.int(100, 900)} sequences of ${random.int(1, 8)} tasks`,
  ),
  program(
    'DEBUG',
    random =>
      `urllib3.connectionpool: https://storage.example:443 "GET /shards/${random.hex(8)} HTTP/1.1" 206 ${random.int(1000, 9_999_999)}`,
  ),
  program(
    'DEBUG',
    random =>
      `parameters group ${random.int(0, 9)}: ${random.int(1, 999)} tensors, weight decay 0.1, betas (0.9, 0.95)`,
  ),
  program(
    'WARNING',
    random =>
      `/opt/venv/lib/python3.12/site-packages/torch/utils/checkpoint.py:${random.int(10, 900)}: FutureWarning: this form is deprecated`,
  ),
  random => `  0%|          | ${random.int(1, 900)}/9000 [00:${two(random.int(0, 59))}<1:12:33,  2.1s/it]`,
  random =>
    `     layers.${random.int(0, 95)}.attention.query_key_value.weight   torch.Size([${random.int(1, 9)}0240, 8192])   bfloat16`,
];

const jobHits: readonly Line[] = [
  nccl(
    random =>
      `comm 0x${random.hex(12)} rank ${random.int(0, 511)} nranks 512 cudaDev 3 nvmlDev 3 busId 9d000 commId 0x${random.hex(16)} - Init COMPLETE`,
  ),
  random =>
    `[rank${random.int(0, 511)}]:[E302 10:10:11.204311 ProcessGroupNCCL.cpp:632] [Rank ${random.int(0, 511)}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${random.int(1, 9999)}, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.`,
  random =>
    `RuntimeError: The size of tensor a (${random.int(1, 9999)}) must match the size of tensor b (8192) at non-singleton dimension 1`,
  (random, index) =>
    ` [2026-03-02 ${clock(index)}] iteration ${index}/ 500000 | consumed samples: ${index * 512} | elapsed time per iteration (ms): ${random.between(700, 900).toFixed(1)} | lm loss: 2.113E+00 | grad norm: 0.412 |`,
];
