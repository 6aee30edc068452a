import { ranksOf, second } from '../stage.ts';
import type { NodeFault, Proof } from './fault.ts';
import { counterOf, epilogFinds, healthCheck, nodeDown } from './proofs.ts';

/** The node is gone; whatever its own log says, it ends. */
export const nodeLost: NodeFault = {
  family: 'node-lost',
  categories: ['node_lost', 'host_kernel'],
  inKernelLog: false,
  play({ stage, machine, at }) {
    stage.silentFrom.set(machine, at);
    return { how: 'gone', at, ranks: ranksOf(machine) };
  },
  proofs: [nodeDown],
};

/** The node starts again by itself, and the scheduler notices. */
const rebooted: Proof = {
  late: false,
  endsJobAfter: ({ stage }) => stage.random.between(130, 330) * second,
  leave({ stage, machine, at }, endAt) {
    stage.needs.scheduler = true;
    const back = endAt;
    stage.daemon(
      back,
      `error: Node ${machine.name} unexpectedly rebooted boot_time:${Math.floor((at + 90 * second) / 1000)} last response:${Math.floor((at - 20 * second) / 1000)}`,
    );
    stage.daemon(back + 60, `Killing JobId=${stage.job.id} on failed node ${machine.name}`);
    stage.nodeStates.set(machine, { state: 'DOWN', reason: 'Node unexpectedly rebooted', at: back });
  },
};

export const unexpectedReboot: NodeFault = {
  family: 'unexpected-reboot',
  categories: ['node_lost', 'host_kernel'],
  inKernelLog: false,
  play({ stage, machine, at }) {
    const boot = at + 90 * second;
    stage.silentFrom.set(machine, at);
    stage.boots.set(machine, boot);
    stage.kernel(
      machine,
      boot + 1,
      'Linux version 5.15.0-1053-generic (buildd@lcy02) (gcc 11.4.0) #61-Ubuntu SMP',
    );
    stage.kernel(
      machine,
      boot + 2,
      'Command line: BOOT_IMAGE=/boot/vmlinuz-5.15.0-1053-generic root=/dev/sda2 ro',
    );
    stage.kernel(machine, boot + 31_000, 'nvidia: loading out-of-tree module taints kernel.');
    for (const nic of machine.nics.slice(0, 2))
      stage.kernel(machine, boot + 22_000, `mlx5_core ${nic.pci} ${nic.device}: Port: 1 Link INIT`);
    return { how: 'gone', at, ranks: ranksOf(machine) };
  },
  proofs: [rebooted],
};

/** The local disk fails. */
export const localDisk: NodeFault = {
  family: 'local-disk',
  categories: ['storage_local'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    let told = at + 1000;
    random.pick<() => void>([
      () => {
        stage.kernel(
          machine,
          at,
          'blk_update_request: I/O error, dev sda, sector 488397168 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 0',
        );
        stage.kernel(
          machine,
          at + 200,
          'Buffer I/O error on dev sda2, logical block 60891136, lost async page write',
        );
        stage.kernel(
          machine,
          at + 900,
          'EXT4-fs error (device sda2): ext4_journal_check_start:83: comm python3: Detected aborted journal',
        );
        stage.kernel(machine, at + 901, 'EXT4-fs (sda2): Remounting filesystem read-only');
      },
      () => {
        stage.kernel(machine, at, 'nvme nvme0: I/O 612 QID 14 timeout, aborting');
        stage.kernel(machine, at + 31_000, 'nvme nvme0: I/O 612 QID 14 timeout, reset controller');
        stage.kernel(machine, at + 62_000, 'nvme nvme0: Device not ready; aborting reset, CSTS=0x1');
        stage.kernel(machine, at + 62_100, 'nvme nvme0: Disabling device after reset failure: -19');
        told = at + 62_200;
      },
      () => {
        stage.kernel(machine, at, 'XFS (nvme1n1): log I/O error -5');
        stage.kernel(machine, at + 3, 'XFS (nvme1n1): Filesystem has been shut down due to log error (0x2).');
        stage.kernel(
          machine,
          at + 4,
          'XFS (nvme1n1): Please unmount the filesystem and rectify the problem(s).',
        );
      },
      () => {
        stage.kernel(
          machine,
          at,
          'EXT4-fs error (device nvme0n1p2): ext4_find_entry:1463: inode #2: comm python3: reading directory lblock 0',
        );
        stage.kernel(machine, at + 40, 'EXT4-fs (nvme0n1p2): Remounting filesystem read-only');
      },
    ])();
    return {
      how: 'dies',
      at: told + random.between(2, 60) * second,
      ranks: [spot.rank],
      says: () => `OSError: [Errno 30] Read-only file system: '/tmp/triton_cache/${random.hex(8)}'`,
    };
  },
  proofs: [
    healthCheck('NHC: check_fs_mount: / mounted read-only, expected read-write'),
    counterOf('node_filesystem_readonly', 1, { mountpoint: '/', device: '/dev/sda2', fstype: 'ext4' }),
  ],
};

/** A local file system is full. */
export const diskFull: NodeFault = {
  family: 'disk-full',
  categories: ['storage_local', 'node_configuration'],
  inKernelLog: false,
  play(spot) {
    spot.stage.needs.places = true;
    return {
      how: 'dies',
      at: spot.at,
      ranks: spot.stage.random.chance(0.5) ? ranksOf(spot.machine) : [spot.rank],
      says: () =>
        `OSError: [Errno 28] No space left on device: '/tmp/torchinductor_user1/${spot.stage.random.hex(6)}/kernel.so'`,
    };
  },
  proofs: [healthCheck('NHC: check_fs_free: /tmp has only 0% free (12kB), minimum is 3%')],
};

/** A node too hot to go on. */
export const thermal: NodeFault = {
  family: 'thermal',
  categories: ['thermal_power'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const first = random.int(0, 100);
    for (let cpu = 0; cpu < random.int(6, 24); cpu += 1) {
      stage.kernel(
        machine,
        at + cpu * random.between(1, 900),
        `mce: CPU${first + cpu}: Package temperature above threshold, cpu clock throttled (total events = ${random.int(1, 90_000)})`,
      );
    }
    const felt = at + random.between(30, 60) * second;
    stage.needs.daemons = true;
    stage.kernel(
      machine,
      felt - 900,
      `Processor sensor CPU${random.int(1, 2)} Thermal Trip asserted`,
      'ipmievd',
    );
    if (random.chance(0.5)) return { how: 'stalls', at: felt, ranks: ranksOf(machine) };
    stage.silentFrom.set(machine, felt);
    return { how: 'gone', at: felt, ranks: ranksOf(machine) };
  },
  proofs: [
    {
      late: false,
      leave(spot) {
        for (const other of spot.stage.machines
          .slice(0, 16)
          .concat(spot.machine.index < 16 ? [] : [spot.machine])) {
          for (const gpu of other.gpus) {
            spot.stage.series.push({
              machine: other,
              metric: 'DCGM_FI_DEV_CLOCK_THROTTLE_REASONS',
              labels: { gpu: String(gpu.index), UUID: gpu.uuid },
              valueAt: time => (other === spot.machine && time >= spot.at ? 72 : 4),
            });
          }
        }
      },
    },
    epilogFinds(() => ['ipmi-sel: 41 | Processor #0x0e | Thermal Trip | Asserted', 'check thermal: FAIL']),
  ],
};

/** One client is thrown out of the shared file system while all others go on. */
export const storageClient: NodeFault = {
  family: 'storage-client',
  categories: ['storage_shared', 'network_fabric', 'node_configuration', 'storage_local'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const id = `ffff${random.hex(12)}`;
    random.pick<() => void>([
      () => {
        stage.kernel(
          machine,
          at,
          `LustreError: 11-0: scratch-OST0011-osc-${id}: operation ldlm_enqueue to node 10.9.0.4@o2ib failed: rc = -107`,
        );
        stage.kernel(
          machine,
          at + 400,
          `LustreError: 167-0: scratch-OST0011-osc-${id}: This client was evicted by scratch-OST0011; in progress operations using this service will fail.`,
        );
      },
      () =>
        stage.kernel(
          machine,
          at,
          `LustreError: 167-0: lfs01-MDT0000-mdc-${id}: This client was evicted by lfs01-MDT0000; in progress operations using this service will fail.`,
        ),
      () => {
        stage.needs.daemons = true;
        stage.kernel(
          machine,
          at,
          `[E] This node has been expelled from the cluster gpfs.train by 10.9.0.2 (${random.pick(['io-01', 'io-02'])})`,
          'mmfs',
        );
        stage.kernel(
          machine,
          at + 300,
          '[E] Lost membership in cluster gpfs.train. Unmounting file systems.',
          'mmfs',
        );
      },
    ])();
    return {
      how: 'dies',
      at: at + random.between(0.5, 20) * second,
      ranks: [spot.rank],
      says: () =>
        `OSError: [Errno 108] Cannot send after transport endpoint shutdown: '/scratch/data/shard-${random.int(0, 4000)}.bin'`,
    };
  },
  proofs: [],
};

/** What a node lacks to take part in the rack's fabric. */
export const fabricService: NodeFault = {
  family: 'fabric-service',
  categories: ['node_configuration', 'accelerator_fabric'],
  inKernelLog: true,
  atStart: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    stage.needs.daemons = true;
    random.pick<() => void>([
      () =>
        stage.kernel(
          machine,
          at,
          "detected number of NVSwitches don't match with any supported system topology, aborting fabric manager",
          'nv-fabricmanager',
        ),
      () =>
        stage.kernel(
          machine,
          at,
          'failed to find the GPU handle 8273645519 in the multicast team request setup 11',
          'nv-fabricmanager',
        ),
      () => {
        stage.kernel(
          machine,
          at,
          'nvidia-fabricmanager.service: Main process exited, code=exited, status=1/FAILURE',
          'systemd',
        );
        stage.kernel(
          machine,
          at + 1,
          "nvidia-fabricmanager.service: Failed with result 'exit-code'.",
          'systemd',
        );
      },
      () => {
        stage.kernel(
          machine,
          at,
          'nvidia-imex.service: Main process exited, code=exited, status=1/FAILURE',
          'systemd',
        );
        stage.kernel(machine, at + 1, "nvidia-imex.service: Failed with result 'exit-code'.", 'systemd');
      },
    ])();
    const first = 'RuntimeError: CUDA error: system not yet initialized\nError 802: system not yet initialized';
    stage.needs.places = true;
    return { how: 'dies', at: at + random.between(1, 20) * second, ranks: ranksOf(machine), says: () => first };
  },
  proofs: [
    {
      late: false,
      leave(spot) {
        spot.stage.needs.places = true;
        for (const rank of ranksOf(spot.machine))
          spot.stage.print(
            rank,
            spot.at + 400,
            'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
          );
      },
    },
  ],
};
