import { minute, ranksOf, type Stage, second } from './stage.ts';
import { timeOut } from './victims.ts';

/** A fault of what many nodes share. Returns when the job was over, and how the scheduler calls it. */
export interface SharedFault {
  readonly family: string;
  readonly categories: readonly string[];
  play(stage: Stage, at: number): { readonly endAt: number; readonly state: string };
}

/** Nodes that feel it: all, or all but a few. */
function struck(stage: Stage) {
  const { random, machines } = stage;
  return random.chance(0.6) ? machines : random.some(machines, Math.max(3, Math.ceil(machines.length * 0.75)));
}

export const switchDown: SharedFault = {
  family: 'switch',
  categories: ['network_fabric'],
  play(stage, at) {
    const { random } = stage;
    const rail = random.int(0, (stage.machines[0]?.nics.length ?? 1) - 1);
    for (const machine of struck(stage)) {
      const nic = machine.nics[rail];
      if (nic === undefined) continue;
      const when = at + random.between(0, 900);
      stage.kernel(
        machine,
        when,
        random.chance(0.5)
          ? `mlx5_core ${nic.pci} ${nic.netdev}: Link down`
          : `mlx5_core ${nic.pci} ${nic.device}: Port: 1 Link DOWN`,
      );
      if (stage.needs.places && random.chance(0.5))
        stage.nccl(
          machine.firstRank,
          when + 30,
          `misc/ibvwrap.cc:113 NCCL WARN NET/IB : ${nic.device}:1 Got async event : port error`,
        );
    }
    return { endAt: timeOut(stage, at, []), state: 'FAILED' };
  },
};

export const fileServer: SharedFault = {
  family: 'file-server',
  categories: ['storage_shared'],
  play(stage, at) {
    const { random } = stage;
    const server = random.pick(['nfs-01', '10.9.0.4', 'home-server']);
    const kind = random.int(0, 2);
    for (const machine of struck(stage)) {
      const when = at + random.between(0, 40) * second;
      if (kind === 0)
        stage.kernel(
          machine,
          when,
          `nfs: server ${server} not responding, ${random.pick(['still trying', 'timed out'])}`,
        );
      else if (kind === 1)
        stage.kernel(
          machine,
          when,
          `LustreError: 167-0: scratch-OST0004-osc-ffff${random.hex(12)}: This client was evicted by scratch-OST0004; in progress operations using this service will fail.`,
        );
      else stage.kernel(machine, when, `wekafs: backend ${server} not responding, still trying`);
      if (random.chance(0.3))
        stage.kernel(
          machine,
          when + 122 * second,
          `INFO: task python3:${random.int(2000, 900_000)} blocked for more than 120 seconds.`,
        );
    }
    const ranks = stage.machines.slice(0, 32).map(machine => machine.firstRank);
    for (const rank of ranks) {
      if (random.chance(0.6))
        stage.print(
          rank,
          at + random.between(60, 200) * second,
          "OSError: [Errno 5] Input/output error: '/data/train/shard-0042.bin'",
        );
    }
    return { endAt: at + random.between(4, 11) * minute, state: 'FAILED' };
  },
};

export const powerLoss: SharedFault = {
  family: 'power',
  categories: ['node_lost', 'thermal_power'],
  play(stage, at) {
    const { random } = stage;
    const dark =
      stage.machines.length <= 24
        ? stage.machines
        : random.some(stage.machines, Math.max(18, Math.floor(stage.machines.length * 0.5)));
    const detected = at + random.between(60, 200) * second;
    for (const machine of dark) {
      stage.silentFrom.set(machine, at + random.between(0, 1500));
      stage.nodeStates.set(machine, { state: 'DOWN*', reason: 'Not responding', at: detected + 100 * second });
    }
    stage.needs.scheduler = true;
    const names = dark
      .map(machine => machine.name)
      .sort()
      .join(',');
    stage.daemon(detected, `error: Nodes ${names} not responding`);
    stage.daemon(detected + 100 * second, `error: Nodes ${names} not responding, setting DOWN`);
    for (const machine of dark)
      stage.daemon(detected + 101 * second, `Killing JobId=${stage.job.id} on failed node ${machine.name}`);
    return { endAt: detected + 102 * second, state: 'NODE_FAIL' };
  },
};

export const subnetManager: SharedFault = {
  family: 'subnet',
  categories: ['network_fabric'],
  play(stage, at) {
    const { random } = stage;
    for (const machine of struck(stage)) {
      for (const nic of machine.nics.slice(0, stage.machines.length > 128 ? 1 : 3)) {
        stage.kernel(
          machine,
          at + random.between(0, 3000),
          `mlx5_core ${nic.pci} ${nic.device}: Port: 1 Link INIT`,
        );
      }
      if (random.chance(0.2))
        stage.nccl(
          random.pick(ranksOf(machine)),
          at + 20 * second,
          `transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer ${machine.address}<40004> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::1 remoteGids fe80::2 hca mlx5_0`,
        );
    }
    return { endAt: timeOut(stage, at, []), state: 'FAILED' };
  },
};

/** The cooling of a row fails: every node throttles, some before others. */
export const cooling: SharedFault = {
  family: 'cooling',
  categories: ['thermal_power'],
  play(stage, at) {
    const { random } = stage;
    for (const machine of struck(stage)) {
      const since = at + random.between(0, 90) * second;
      const lines = stage.machines.length > 64 ? 2 : random.int(3, 8);
      for (let cpu = 0; cpu < lines; cpu += 1) {
        stage.kernel(
          machine,
          since + cpu * 300,
          `mce: CPU${cpu * 2}: Package temperature above threshold, cpu clock throttled (total events = ${random.int(1, 900)})`,
        );
      }
      for (const gpu of machine.gpus.slice(0, 2)) {
        stage.series.push({
          machine,
          metric: 'DCGM_FI_DEV_CLOCK_THROTTLE_REASONS',
          labels: { gpu: String(gpu.index), UUID: gpu.uuid },
          valueAt: time => (time >= since ? 72 : 4),
        });
      }
    }
    return { endAt: timeOut(stage, at + random.between(1, 4) * minute, []), state: 'FAILED' };
  },
};
