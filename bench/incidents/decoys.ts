import type { Machine } from './cluster.ts';
import { minute, others, type Stage, second } from './stage.ts';

/** Something on a sound node that tempts to name it. Null where this stage has no room for it. */
type Decoy = (stage: Stage, machine: Machine, faultAt: number) => string | null;

const survivedFault: Decoy = (stage, machine, faultAt) => {
  const { random, job } = stage;
  const at = faultAt - random.between(6, 12) * minute;
  if (!job.saysSteps || at < job.start + 6 * minute || Math.abs(machine.skewMs) > 30_000) return null;
  const nic = random.pick(machine.nics);
  const gpu = random.pick(machine.gpus);
  stage.needs.dates = true;
  random.pick<() => void>([
    () => {
      stage.kernel(machine, at, `mlx5_core ${nic.pci} ${nic.netdev}: Link down`);
      stage.kernel(machine, at + random.between(1, 4) * second, `mlx5_core ${nic.pci} ${nic.netdev}: Link up`);
    },
    () =>
      stage.kernel(
        machine,
        at,
        `NVRM: Xid (PCI:${gpu.pci}): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row (0x${random.hex(16)}) marked for remapping, reset gpu to activate.`,
      ),
    () => stage.kernel(machine, at, `nvme nvme0: I/O ${random.int(1, 900)} QID 14 timeout, aborting`),
    () =>
      stage.kernel(
        machine,
        at,
        `NETDEV WATCHDOG: eth0 (mlx5_core): transmit queue ${random.int(0, 30)} timed out`,
      ),
    () =>
      stage.kernel(
        machine,
        at,
        `watchdog: BUG: soft lockup - CPU#${random.int(0, 200)} stuck for 22s! [kworker/${random.int(0, 200)}:1:3011]`,
      ),
    () => {
      stage.kernel(
        machine,
        at,
        `pcieport 0000:37:01.0: AER: Uncorrected (Non-Fatal) error received: 0000:37:01.0`,
      );
      stage.kernel(machine, at + 1, 'pcieport 0000:37:01.0: AER: device recovery successful');
    },
    () =>
      stage.kernel(
        machine,
        at,
        `NVRM: Xid (PCI:${gpu.pci}): 119, pid=${random.int(2000, 9000)}, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU${gpu.index} GSP! Expected function 76 (GSP_RM_CONTROL) (0x20800a4c 0x4).`,
      ),
  ])();
  return 'a fault that training went on after';
};

/** Its node came back sound, whatever happened to it later. */
export const plannedReboot: Decoy = (stage, machine) => {
  const { random, job } = stage;
  const boot = job.start - random.between(5, 60) * minute;
  if (stage.boots.has(machine)) return null;
  stage.boots.set(machine, boot);
  stage.needs.dates = true;
  stage.kernel(machine, boot - 3 * minute, 'reboot: Restarting system');
  stage.kernel(
    machine,
    boot + 1,
    'Linux version 5.15.0-1053-generic (buildd@lcy02) (gcc 11.4.0) #61-Ubuntu SMP',
  );
  for (const nic of machine.nics.slice(0, 2))
    stage.kernel(machine, boot + 21 * second, `mlx5_core ${nic.pci} ${nic.device}: Port: 1 Link INIT`);
  stage.kernel(
    machine,
    boot + 33 * second,
    'NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  550.90.07  Release Build',
  );
  stage.daemon(boot - 3.5 * minute, `update_node: node ${machine.name} reason set to: kernel update`);
  stage.daemon(boot - 3.4 * minute, `reboot request queued for nodes ${machine.name}`);
  stage.daemon(boot + 2 * minute, `node_did_resp ${machine.name}`);
  stage.daemon(boot + 2 * minute + 9, `Node ${machine.name} now responding`);
  return 'a planned reboot before the job';
};

const correctedErrors: Decoy = (stage, machine, faultAt) => {
  const { random } = stage;
  const from = faultAt - 14 * minute;
  const many = random.int(12, 60);
  const say = random.pick<(at: number) => void>([
    at =>
      stage.kernel(
        machine,
        at,
        `EDAC MC1: 1 CE memory read error on CPU_SrcID#0_MC#1_Chan#0_DIMM#1 (channel:0 slot:1 page:0x${random.hex(6)} offset:0x${random.hex(3)} grain:32 syndrome:0x0)`,
      ),
    at => {
      stage.kernel(machine, at, 'pcieport 0000:48:01.0: AER: Corrected error received: 0000:48:01.0');
      stage.kernel(
        machine,
        at + 1,
        'pcieport 0000:48:01.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)',
      );
    },
    at =>
      stage.kernel(
        machine,
        at,
        `nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 12023, Non-fatal, Link ${random.int(0, 60)} egress input ECC error limit reached`,
      ),
  ]);
  for (let count = 0; count < many; count += 1) say(random.between(from, faultAt + minute));
  return 'corrected errors in numbers';
};

const anotherJobsGpu: Decoy = (stage, machine, faultAt) => {
  const { random, job } = stage;
  const gpu = machine.spareGpus.at(-1);
  if (gpu === undefined) return null;
  stage.needs.scheduler = true;
  const at = Math.max(job.start + minute, faultAt - random.between(1, 8) * minute);
  const who = `pid=${random.int(2000, 900_000)}, name=python`;
  stage.kernel(
    machine,
    at,
    `NVRM: Xid (PCI:${gpu.pci}): ${random.pick([
      `31, ${who}, Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_3 faulted @ 0x7f2b_00001000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE`,
      `13, ${who}, Graphics Exception: ESR 0x504730=0x4000e 0x504734=0x0`,
      `43, ${who}, Ch 00000010`,
    ])}`,
  );
  return 'a GPU of another job';
};

/** A program of another user on the same node, on a GPU of no rank. */
const foreignProgram: Decoy = (stage, machine, faultAt) => {
  const { random, job } = stage;
  const gpu = random.pick(machine.gpus);
  const at = Math.max(job.start - 40 * minute, faultAt - 3 * 60 * minute);
  if (at > job.start - 5 * minute) return null;
  stage.kernel(
    machine,
    at,
    `NVRM: Xid (PCI:${gpu.pci}): 31, pid=${random.int(2000, 9000)}, name=notebook, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f11_20000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ`,
  );
  stage.needs.dates = true;
  return 'an error of the job before';
};

/** The exporter's gauge of error codes keeps its last value for days, and programs change it too. */
const exporterGauge: Decoy = (stage, machine, faultAt) => {
  const { random } = stage;
  const metric = 'DCGM_FI_DEV_XID_ERRORS';
  if (stage.series.some(series => series.metric === metric)) return null;
  const stale = random.chance(0.5);
  const code = stale ? random.pick([79, 48, 119, 31]) : random.pick([31, 43, 45, 13]);
  const since = faultAt - random.between(1, 9) * minute;
  const shown = stage.machines.filter(other => other.index < 12 || other === machine);
  for (const other of shown) {
    for (const gpu of other.gpus) {
      const odd = other === machine && gpu.index === 0;
      stage.series.push({
        machine: other,
        metric,
        labels: { gpu: String(gpu.index), UUID: gpu.uuid },
        valueAt: at => (odd && (stale || at >= since) ? code : 0),
      });
    }
  }
  return stale ? "an exporter's code from long ago" : "an exporter's code of a program";
};

/** The controller misses one answer of a node and gets the next. */
const transientSilence: Decoy = (stage, machine, faultAt) => {
  const at = faultAt - stage.random.between(2, 12) * minute;
  stage.needs.scheduler = true;
  stage.daemon(at, `error: Nodes ${machine.name} not responding`);
  stage.daemon(at + stage.random.between(20, 90) * second, `Node ${machine.name} now responding`);
  return 'a missed answer to the scheduler';
};

/** Somebody wants the node for themselves once the job is over. */
const plannedDrain: Decoy = (stage, machine, faultAt) => {
  if (stage.nodeStates.has(machine)) return null;
  const at = faultAt - stage.random.between(3, 20) * minute;
  const reason = stage.random.pick(['firmware update', 'move to another rack', 'reserved for tests']);
  stage.needs.scheduler = true;
  stage.daemon(at, `update_node: node ${machine.name} reason set to: ${reason}`);
  stage.daemon(at + 3, `update_node: node ${machine.name} state set to DRAINING`);
  stage.nodeStates.set(machine, { state: 'MIXED+DRAIN', reason, at });
  return 'drained on purpose while the job runs';
};

const before: readonly Decoy[] = [
  survivedFault,
  plannedReboot,
  correctedErrors,
  anotherJobsGpu,
  foreignProgram,
  survivedFault,
  exporterGauge,
  transientSilence,
  plannedDrain,
];

/** Puts one decoy on a node that is not at fault; before the end is known. */
export function placeDecoy(stage: Stage, culprit: Machine | null, faultAt: number): void {
  const { random } = stage;
  const innocent = others(stage, culprit).filter(machine => !stage.unreadable.has(machine));
  if (innocent.length === 0) return;
  for (const decoy of random.shuffled(before)) {
    const machine = random.pick(innocent);
    const what = decoy(stage, machine, faultAt);
    if (what === null) continue;
    stage.decoys.push({ node: machine.name, what });
    return;
  }
}
