import type { Random } from '../../../bench/incidents/random.ts';

type Line = (random: Random) => string;

const nic = (random: Random): string => `mlx5_core 0000:${random.pick(['18', '3a', '9d', 'ca'])}:00.0`;
const port = (random: Random): string => `0000:${random.pick(['00', '16', '64', 'b7'])}:0${random.int(1, 5)}.0`;
const drawn =
  (lines: readonly Line[]): Line =>
  random =>
    random.pick(lines)(random);

/** What the kernel of a sound machine writes, much of it alarming to read: corrected errors, monitoring, warnings. */
export const kernelNoise = drawn([
  random =>
    `EDAC MC${random.int(0, 3)}: 1 CE memory read error on CPU_SrcID#0_MC#${random.int(0, 3)}_Chan#1_DIMM#0 (channel:1 slot:0 page:0x${random.hex(6)} offset:0x${random.hex(3)} grain:32 syndrome:0x0)`,
  () => 'mce: [Hardware Error]: Machine check events logged',
  random => `pcieport ${port(random)}: AER: Corrected error received: ${port(random)}`,
  random => `pcieport ${port(random)}: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)`,
  random =>
    `${nic(random)}: mlx5_cmd_out_err:838:(pid ${random.int(900, 90_000)}): ACCESS_REG(0x805) op_mod(0x1) failed, status bad operation(0x2), syndrome (0x${random.hex(6)}), err(-22)`,
  random => `${nic(random)}: mlx5_pcie_event:304:(pid 0): Detected insufficient power on the PCIe slot (27W).`,
  random =>
    `workqueue: ib_cache_event_task [ib_core] hogged CPU for >10000us ${random.int(4, 64)} times, consider switching to WQ_UNBOUND`,
  random =>
    `perf: interrupt took too long (${random.int(2501, 4000)} > 2500), lowering kernel.perf_event_max_sample_rate to 63000`,
  random =>
    `TCP: request_sock_TCP: Possible SYN flooding on port ${random.int(20_000, 40_000)}. Sending cookies.  Check SNMP counters.`,
  random =>
    `audit: type=1400 audit(0.0:${random.int(1, 9999)}): apparmor="ALLOWED" operation="open" profile="/usr/sbin/chronyd"`,
  random => `device eth${random.int(0, 3)} entered promiscuous mode`,
  random => `loop${random.int(0, 9)}: detected capacity change from 0 to ${random.int(1000, 900_000)}`,
]);

/** How links come up when a machine starts. */
export const linksAtBoot = drawn([
  random => `${nic(random)}: Port: 1 Link INIT`,
  random => `${nic(random)}: Port: 1 Link ACTIVE`,
  random => `${nic(random)} enp${random.int(10, 90)}s0np0: Link up`,
]);

/** What daemons write to the system's log. */
export const daemonNoise = drawn([
  random => `dcgm-exporter[2140]: level=info msg="Collected metrics of 8 GPUs" took=${random.int(3, 90)}ms`,
  random => `node_exporter[1811]: level=warn collector=hwmon err="no sensor ${random.int(0, 40)}"`,
  random => `systemd[1]: Started Session ${random.int(100, 99_999)} of User monitor.`,
  random => `CRON[${random.int(1000, 99_999)}]: (root) CMD (/usr/local/sbin/collect-sensors)`,
  () => 'smartd[1402]: Device: /dev/nvme1, SMART/Health Status: OK',
  () => 'slurmd[3021]: debug:  _rpc_ping: uid 0',
  () => 'chronyd[1207]: Selected source 10.0.0.250',
]);

/** What programs print while they run well. */
export const jobNoise = drawn([
  () => 'wandb: Network error (ReadTimeout), entering retry loop.',
  () =>
    '/opt/venv/lib/python3.12/site-packages/torch/utils/checkpoint.py:87: UserWarning: None of the inputs have requires_grad=True.',
  () => '/workspace/data/loader.py:41: DeprecationWarning: the argument "shuffle" will be removed',
  () => 'FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated.',
  random => `WARNING: skipped sample ${random.int(1, 9_000_000)}: it is longer than the context`,
  random => `INFO: read ${random.int(1, 4000)} samples from the cache`,
  () => 'huggingface/tokenizers: The current process just got forked, after parallelism has already been used.',
  random => `INFO: memory allocated: ${random.int(20, 79)}.2 GiB, reserved: 79.1 GiB`,
]);

/** What the controller writes about other jobs. */
export const schedulerNoise = drawn([
  random => `_job_complete: JobId=${random.int(60_000, 69_999)} WEXITSTATUS 0`,
  random =>
    `sched/backfill: _start_job: Started JobId=${random.int(60_000, 69_999)} in batch on cpu-${random.int(10, 99)}`,
  () => 'debug:  sched: Running job scheduler for full queue.',
  random =>
    `_slurm_rpc_submit_batch_job: JobId=${random.int(60_000, 69_999)} InitPrio=4294 usec=${random.int(200, 9000)}`,
]);
