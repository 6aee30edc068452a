import type { Spot } from './faults/fault.ts';
import { nicOf, sayAsync } from './faults/links.ts';
import { counterOf, epilogFinds } from './faults/proofs.ts';
import { others, ranksOf, second } from './stage.ts';
import type { Unknowable } from './unknowable.ts';
import { timeOut } from './victims.ts';

/**
 * A job hangs for a reason that left no trace, while a node that had no part in it shows a real fault of a card that
 * nothing used: the honest way to be wrong. Only one source tells of it, and nothing that the job did agrees.
 */
function coincidence(show: (spot: Spot) => void): Unknowable {
  return {
    family: 'coincidence',
    play(stage, at) {
      const { random } = stage;
      const hanging = random.pick(stage.machines);
      const [machine = hanging] = random.some(others(stage, hanging), 1);
      const gpu = random.pick(machine.gpus);
      const spot = {
        stage,
        machine,
        gpu,
        rank: machine.firstRank + gpu.index,
        at: at + random.between(1, 90) * second,
      };
      show(spot);
      stage.decoys.push({ node: machine.name, what: 'a real fault that had no part in it' });
      return { endAt: timeOut(stage, at, ranksOf(hanging).slice(0, 2)), hidden: hanging.name, state: 'FAILED' };
    },
  };
}

const inKernelLog = coincidence(spot => {
  const nic = nicOf(spot);
  spot.stage.kernel(spot.machine, spot.at, `mlx5_core ${nic.pci} ${nic.netdev}: Link down`);
});

const inJobText = coincidence(spot => {
  spot.stage.unreadable.add(spot.machine);
  sayAsync(spot, nicOf(spot).device, 'port error', spot.at);
});

const elsewhere = coincidence(spot => {
  const proof = spot.stage.random.pick([linkCounter, linkErrors]);
  proof.leave(spot, spot.at + spot.stage.job.limitMs + 30 * second);
});

const linkCounter = counterOf('node_infiniband_link_downed_total', 1, { device: 'mlx5_3', port: '1' });

const linkErrors = epilogFinds(({ gpu }) => [
  `dcgmi diag: GPU ${gpu.index}: DCGM_FR_NVLINK_ERROR_CRITICAL: Detected 2 nvlink_flit_crc_error_count_total NvLink errors on GPU ${gpu.index}'s NVLink.`,
  'check dcgm-diag-r1: FAIL',
]);

export const coincidences: readonly Unknowable[] = [inKernelLog, inJobText, elsewhere];
