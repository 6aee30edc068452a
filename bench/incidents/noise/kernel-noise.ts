import type { Machine } from '../cluster.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';

/** Lines that kernels of sound machines write all day. Each call gives one message of one or more lines. */
type Noise = (random: Random, machine: Machine) => readonly string[];

const port = (random: Random): string => `0000:${random.pick(['15', '26', '37', '48', '97', 'b7'])}:01.0`;
const nicOf = (random: Random, machine: Machine): string => random.pick(machine.nics).pci;

const harmless: readonly Noise[] = [
  random => [
    `perf: interrupt took too long (${random.int(2500, 7400)} > ${random.int(1200, 2499)}), lowering kernel.perf_event_max_sample_rate to ${random.pick([32000, 50000, 79500])}`,
  ],
  random => [`hrtimer: interrupt took ${random.int(4000, 24000)} ns`],
  () => ['Process accounting resumed'],
  () => ['device eth0 entered promiscuous mode', 'device eth0 left promiscuous mode'],
  random => [
    `loop${random.int(0, 7)}: detected capacity change from 0 to ${random.int(1_000_000, 90_000_000)}`,
  ],
  random => [`docker0: port 1(veth${random.hex(6)}) entered disabled state`],
  () => ["overlayfs: fs on '/run/overlay/lower' does not support file handles, falling back to xino=off."],
  random => [
    `TCP: request_sock_TCP: Possible SYN flooding on port ${random.pick([9400, 29500, 29501])}. Sending cookies.  Check SNMP counters.`,
  ],
  random => [`usb 1-14.${random.int(1, 3)}: USB disconnect, device number ${random.int(3, 60)}`],
  random => [
    `clocksource: Long readout interval, skipping watchdog check: cs_nsec: ${random.int(1e9, 2e9)} wd_nsec: ${random.int(1e9, 2e9)}`,
  ],
  random => [
    `workqueue: ib_cache_event_task [ib_core] hogged CPU for >10000us ${random.pick([4, 8, 16, 32])} times, consider switching to WQ_UNBOUND`,
  ],
  () => ['NFS: Cache request denied due to non-unique superblock keys'],
  random => [
    `audit: type=1400 audit(${random.int(1_760_000_000, 1_790_000_000)}.${random.int(100, 999)}:${random.int(900, 9000)}): apparmor="ALLOWED" operation="open" profile="/usr/sbin/slurmd" name="/proc/${random.int(3000, 900000)}/status" comm="slurmstepd" requested_mask="r" denied_mask="r"`,
  ],
];

/** Lines that look like faults and are none. */
const alarming: readonly Noise[] = [
  random => {
    const at = port(random);
    return [
      `pcieport ${at}: AER: Corrected error received: ${at}`,
      `pcieport ${at}: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Transmitter ID)`,
      `pcieport ${at}:    [12] Timeout`,
    ];
  },
  random => [
    `EDAC MC${random.int(0, 3)}: 1 CE memory read error on CPU_SrcID#${random.int(0, 1)}_MC#0_Chan#${random.int(0, 1)}_DIMM#0 (channel:0 slot:0 page:0x${random.hex(6)} offset:0x${random.hex(3)} grain:32 syndrome:0x0)`,
  ],
  random =>
    [
      `mce: [Hardware Error]: Machine check events logged`,
      `mce: [Hardware Error]: CPU ${random.int(0, 223)}: corrected DIMM memory error count exceeded threshold: ${random.int(2, 20)}`,
    ].slice(0, random.int(1, 1)),
  (random, machine) => [
    `mlx5_core ${nicOf(random, machine)}: mlx5_cmd_out_err:838:(pid ${random.int(2000, 900000)}): ACCESS_REG(0x805) op_mod(0x1) failed, status bad operation(0x2), syndrome (0x${random.hex(6)}), err(-22)`,
  ],
  (random, machine) => [
    `mlx5_core ${nicOf(random, machine)}: mlx5_pcie_event:${random.int(290, 310)}:(pid ${random.int(200, 9000)}): Detected insufficient power on the PCIe slot (${random.pick([25, 27, 75])}W).`,
  ],
  () => ['nvidia-peermem: ERROR detected invalid context, skipping further processing'],
  () => ['IPMI message handler: BMC returned 0xc1 for a request to get sensor thresholds'],
];

/** What happens on every node around the failure: a few lines on large jobs, a few dozen on small ones. */
export function makeKernelNoise(stage: Stage, from: number, to: number): void {
  const { machines } = stage;
  const random = stage.random.fork('kernel-noise');
  const most = machines.length <= 16 ? 36 : machines.length <= 128 ? 8 : machines.length <= 1024 ? 3 : 1;
  for (const machine of machines) {
    const count = random.int(Math.ceil(most / 3), most);
    for (let index = 0; index < count; index += 1) {
      const at = random.between(from, to);
      const noise = random.chance(0.72) ? random.pick(harmless) : random.pick(alarming);
      for (const text of noise(random, machine)) stage.kernel(machine, at, text);
    }
  }
}
