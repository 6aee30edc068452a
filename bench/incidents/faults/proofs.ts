import { gpuCount } from '../cluster.ts';
import { minute, second } from '../stage.ts';
import type { Proof, Spot } from './fault.ts';

/** The scheduler finds a GPU too few when the node registers again, and drains it. */
export const gpuCountTooLow: Proof = {
  late: false,
  leave({ stage, machine, at }, endAt) {
    stage.needs.scheduler = true;
    const count = gpuCount(machine);
    const when = at + (endAt - at) * stage.random.between(0.3, 0.9);
    const reason = `gres/gpu count reported lower than configured (${count - 1} < ${count})`;
    stage.daemon(when, `error: _slurm_rpc_node_registration node=${machine.name}: Invalid argument`);
    stage.daemon(when + 3, `error: Setting node ${machine.name} state to INVAL with reason:${reason}`);
    stage.daemon(when + 9, `drain_nodes: node ${machine.name} state set to DRAIN`);
    stage.nodeStates.set(machine, { state: 'MIXED+DRAIN+INVALID_REG', reason, at: when });
  },
};

/** The scheduler loses the node and ends its job for that. */
export const nodeDown: Proof = {
  late: false,
  endsJobAfter: ({ stage }) => stage.random.between(100, 330) * second,
  leave({ stage, machine }, endAt) {
    stage.needs.scheduler = true;
    stage.daemon(endAt - 60 * second, `error: Nodes ${machine.name} not responding`);
    stage.daemon(endAt, `error: Nodes ${machine.name} not responding, setting DOWN`);
    stage.daemon(endAt + 40, `Killing JobId=${stage.job.id} on failed node ${machine.name}`);
    stage.nodeStates.set(machine, { state: 'DOWN*', reason: 'Not responding', at: endAt });
  },
};

/** The rank sees an error of its own device that only hardware makes. */
export const ownEccError: Proof = {
  late: false,
  leave(spot) {
    spot.stage.needs.places = true;
    spot.stage.print(spot.rank, spot.at + 400, eccTraceback(spot));
  },
};

export function eccTraceback({ stage }: Spot): string {
  return stage.random.pick([
    'Traceback (most recent call last):\n  File "/workspace/train.py", line 412, in <module>\n    main()\nRuntimeError: CUDA error: uncorrectable ECC error encountered\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.',
    'torch.cuda.DeferredCudaCallError: CUDA call failed lazily at initialization with error: CUDA_ERROR_ECC_UNCORRECTABLE',
    'Process group watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered',
  ]);
}

/** The exporter saw the driver's error code change while the job ran. */
export function gaugeOf(code: number): Proof {
  return {
    late: false,
    leave({ stage, machine, gpu, at }) {
      for (const other of stage.machines.slice(0, 16)) pushXidGauge(stage, other, 0, 0);
      if (machine.index >= 16) pushXidGauge(stage, machine, 0, 0);
      const own = stage.series.find(
        series => series.machine === machine && series.labels['gpu'] === String(gpu.index),
      );
      if (own !== undefined) own.valueAt = time => (time >= at ? code : 0);
    },
  };
}

function pushXidGauge(stage: Spot['stage'], machine: Spot['machine'], before: number, from: number): void {
  for (const gpu of machine.gpus) {
    stage.series.push({
      machine,
      metric: 'DCGM_FI_DEV_XID_ERRORS',
      labels: {
        gpu: String(gpu.index),
        UUID: gpu.uuid,
        pci_bus_id: `0000${gpu.pci.toUpperCase()}.0`,
        job: 'dcgm',
      },
      valueAt: time => (time >= from ? before : 0),
    });
  }
}

/** A counter of the node that stays at nought everywhere else. */
export function counterOf(metric: string, after: number, labels: Readonly<Record<string, string>>): Proof {
  return {
    late: false,
    leave({ stage, machine, at }) {
      const shown = stage.machines.filter(other => other.index < 32 || other === machine);
      for (const other of shown) {
        stage.series.push({
          machine: other,
          metric,
          labels,
          valueAt: time => (other === machine && time >= at ? after : 0),
        });
      }
    },
  };
}

/** A node health check drains the node while the job still runs. */
export function healthCheck(reason: string): Proof {
  return {
    late: false,
    leave({ stage, machine, at }, endAt) {
      stage.needs.scheduler = true;
      const when = at + (endAt - at) * stage.random.between(0.4, 0.95);
      stage.daemon(when, `update_node: node ${machine.name} reason set to: ${reason}`);
      stage.daemon(when + 2, `update_node: node ${machine.name} state set to DRAINING`);
      stage.nodeStates.set(machine, { state: 'MIXED+DRAIN', reason, at: when });
    },
  };
}

/** The epilog's checks find it on this node and pass on all others. */
export function epilogFinds(lines: (spot: Spot) => readonly string[]): Proof {
  return {
    late: true,
    leave(spot, endAt) {
      const { stage, machine } = spot;
      const begin = endAt + 2 * minute;
      for (const other of stage.machines.slice(0, 32)) {
        if (other !== machine) passChecks(spot, other, begin + stage.random.next() * 5 * second);
      }
      stage.epilog(machine, begin, `job ${stage.job.id}: running health checks`);
      lines(spot).forEach((text, index) => {
        stage.epilog(machine, begin + (index + 1) * 9 * second, text, text.includes('nhc:') ? 'nhc' : 'epilog');
      });
      stage.epilog(machine, begin + 50 * second, `job ${stage.job.id}: health checks finished, result FAIL`);
    },
  };
}

function passChecks({ stage }: Spot, machine: Spot['machine'], begin: number): void {
  const count = gpuCount(machine);
  const say = (seconds: number, text: string) => stage.epilog(machine, begin + seconds * second, text);
  say(0, `job ${stage.job.id}: running health checks`);
  say(2, `check gpu-count: PASS (${count} of ${count})`);
  say(4, 'check leftover-processes: PASS');
  say(31, 'check dcgm-diag-r1: PASS');
  say(32, `job ${stage.job.id}: health checks finished, result PASS`);
}

const smiBus = ({ gpu }: Spot): string => `GPU${gpu.pci.toUpperCase()}.0`.replace('GPU0000', 'GPU0000');

/** `nvidia-smi` in the epilog no longer finds the device. */
export const epilogLosesGpu: Proof = epilogFinds(spot => [
  `nvidia-smi: Unable to determine the device handle for ${smiBus(spot)}: Unknown Error`,
  `check gpu-count: FAIL (${gpuCount(spot.machine) - 1} of ${gpuCount(spot.machine)})`,
]);

export const epilogReportsLost: Proof = epilogFinds(spot => [
  `nvidia-smi: Unable to determine the device handle for ${smiBus(spot)}: GPU is lost.  Reboot the system to recover this GPU`,
]);
