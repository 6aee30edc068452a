import type { Machine } from './cluster.ts';
import { minute, others, type Stage, second } from './stage.ts';

/** Something on a sound node after the end of the job. Null where this stage has no room for it. */
type LateDecoy = (stage: Stage, machine: Machine, endAt: number) => string | null;

const drain: LateDecoy = (stage, machine, endAt) => {
  const { random } = stage;
  if (stage.nodeStates.has(machine)) return null;
  const at = endAt + random.between(30, 200) * second;
  const reason = random.pick([
    'Kill task failed',
    'Epilog error',
    'batch job complete failure',
    'NHC: Script timed out while executing "check_ps_loadavg 448"',
  ]);
  stage.needs.scheduler = true;
  stage.nodeStates.set(machine, { state: 'IDLE+DRAIN', reason, at });
  stage.daemon(at, `error: Nodes ${machine.name} state set to DRAIN: ${reason}`);
  return 'drained after the end';
};

/** Real, and too late to have ended this job. Only where clocks leave no doubt about that. */
const nextFault: LateDecoy = (stage, machine, endAt) => {
  const { random } = stage;
  if (Math.abs(machine.skewMs) > 5 * second) return null;
  const at = endAt + random.between(45, 110) * second;
  stage.needs.dates = true;
  const gpu = random.pick(machine.gpus);
  const nic = random.pick(machine.nics);
  stage.kernel(
    machine,
    at,
    random.pick([
      `NVRM: Xid (PCI:${gpu.pci}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.`,
      `NVRM: Xid (PCI:${gpu.pci}): 95, pid='<unknown>', name=<unknown>, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No`,
      `mlx5_core ${nic.pci} ${nic.netdev}: Link down`,
      'EXT4-fs (sda2): Remounting filesystem read-only',
    ]),
  );
  return 'a fault after the end';
};

/** The epilog or an operator restarts the node before it gets another job. */
const restart: LateDecoy = (stage, machine, endAt) => {
  if (stage.boots.has(machine) || stage.silentFrom.has(machine) || Math.abs(machine.skewMs) > 5 * second)
    return null;
  const at = endAt + stage.random.between(20, 60) * second;
  stage.needs.dates = true;
  stage.boots.set(machine, at + 80 * second);
  stage.kernel(machine, at, 'reboot: Restarting system');
  stage.kernel(
    machine,
    at + 81 * second,
    'Linux version 5.15.0-1053-generic (buildd@lcy02) (gcc 11.4.0) #61-Ubuntu SMP',
  );
  stage.kernel(
    machine,
    at + 100 * second,
    'NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  550.90.07  Release Build',
  );
  stage.daemon(at - 5 * second, `reboot request queued for nodes ${machine.name}`);
  stage.daemon(Math.max(at + 2 * minute, endAt), `Node ${machine.name} now responding`);
  return 'restarted after the end';
};

const late: readonly LateDecoy[] = [drain, drain, nextFault, restart];

/** Puts a decoy on an innocent node once the job is over. */
export function placeLateDecoy(stage: Stage, culprit: Machine | null, endAt: number): void {
  const innocent = others(stage, culprit).filter(machine => !stage.unreadable.has(machine));
  if (innocent.length === 0) return;
  const machine = stage.random.pick(innocent);
  const what = stage.random.pick(late)(stage, machine, endAt);
  if (what !== null) stage.decoys.push({ node: machine.name, what });
}
