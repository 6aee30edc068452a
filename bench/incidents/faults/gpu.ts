import { minute, second } from '../stage.ts';
import { type NodeFault, type Spot, xid } from './fault.ts';
import { epilogLosesGpu, epilogReportsLost, gaugeOf, gpuCountTooLow } from './proofs.ts';

/** What else the driver says once a GPU no longer answers. */
function afterLoss(spot: Spot, at: number): void {
  const { stage, machine } = spot;
  const { random } = stage;
  if (random.chance(0.5))
    xid(
      spot,
      at + random.between(5, 900),
      154,
      'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)',
      'unknown',
    );
  if (random.chance(0.35))
    stage.kernel(
      machine,
      at + 700,
      'NVRM: A GPU crash dump has been created. If possible, please run nvidia-bug-report.sh as root to collect this data before the NVIDIA kernel module is unloaded.',
    );
  if (random.chance(0.4))
    xid(
      spot,
      at + random.between(6, 45) * second,
      119,
      'Timeout after 45s of waiting for RPC response from GPU0 GSP! Expected function 76 (GSP_RM_CONTROL) (0x2080012a 0x4).',
    );
  if (random.chance(0.3)) {
    stage.kernel(
      machine,
      at + 2.1 * minute,
      `INFO: task nvidia-smi:${random.int(2000, 900_000)} blocked for more than 120 seconds.`,
    );
    stage.kernel(
      machine,
      at + 2.1 * minute + 1,
      `      Tainted: P           OE     5.15.0-1053-generic #61-Ubuntu`,
    );
  }
}

function dies(spot: Spot, at: number, text: string) {
  return {
    how: 'dies',
    at: at + spot.stage.random.between(0.1, 3) * second,
    ranks: [spot.rank],
    says: () => text,
  } as const;
}

const unspecified = [
  'RuntimeError: CUDA error: unspecified launch failure\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.',
  'RuntimeError: CUDA error: unknown error\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
];

/** The GPU answers no longer on its bus. */
export const gpuOffBus: NodeFault = {
  family: 'gpu-off-bus',
  categories: ['accelerator_gpu', 'pcie'],
  inKernelLog: true,
  play(spot) {
    const { random } = spot.stage;
    const text = 'GPU has fallen off the bus.';
    xid(spot, spot.at, 79, text, random.chance(0.5) ? 'unknown' : 'own');
    if (random.chance(0.3)) xid(spot, spot.at + 300, 79, text, 'unknown');
    afterLoss(spot, spot.at);
    return random.chance(0.5)
      ? dies(spot, spot.at, random.pick(unspecified))
      : { how: 'stalls', at: spot.at, ranks: [spot.rank] };
  },
  proofs: [gpuCountTooLow, epilogLosesGpu, epilogReportsLost, gaugeOf(79)],
};

/** The same without a number: three lines, or one. */
export const gpuOffBusUnnumbered: NodeFault = {
  family: 'gpu-off-bus-unnumbered',
  categories: ['accelerator_gpu', 'pcie'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, gpu, at } = spot;
    const { random } = stage;
    if (random.chance(0.7)) {
      const parts = [
        `NVRM: The NVIDIA GPU ${gpu.pci}.0`,
        `NVRM: (PCI ID: ${random.pick(['10de:2330', '10de:20b2', '10de:2901'])}) installed in this system has`,
        'NVRM: fallen off the bus and is not responding to commands.',
      ];
      if (random.chance(0.5)) stage.kernel(machine, at, parts.join('\n'));
      else for (const [index, part] of parts.entries()) stage.kernel(machine, at + index / 100, part);
    } else stage.kernel(machine, at, `NVRM: GPU ${gpu.pci}.0: GPU has fallen off the bus.`);
    if (random.chance(0.3))
      stage.kernel(
        machine,
        at + 900,
        `NVRM: GPU ${gpu.pci}.0: Failed GPU reg read : 0xffffffff. Check whether GPU is present on the bus.`,
      );
    return random.chance(0.5)
      ? dies(spot, at, random.pick(unspecified))
      : { how: 'stalls', at, ranks: [spot.rank] };
  },
  proofs: [gpuCountTooLow, epilogLosesGpu, epilogReportsLost],
};

/** The firmware processor of the GPU stops answering its driver. */
export const gpuFirmware: NodeFault = {
  family: 'gpu-firmware',
  categories: ['accelerator_gpu'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine } = spot;
    const { random } = stage;
    const form = random.int(0, 3);
    if (form === 0) {
      for (let count = 0; count < random.int(2, 7); count += 1) {
        xid(
          spot,
          spot.at + count * 45 * second,
          119,
          `Timeout after ${random.pick([6, 45])}s of waiting for RPC response from GPU${spot.gpu.index} GSP! Expected function 76 (GSP_RM_CONTROL) (0x${random.hex(8)} 0x${random.hex(2)}).`,
        );
      }
    } else if (form === 1)
      xid(
        spot,
        spot.at,
        120,
        `GSP Error: Task 1 raised error code 0x5 for reason 0x0 at 0x${random.hex(8)} (3 more errors skipped)`,
        'unknown',
      );
    else if (form === 2)
      xid(
        spot,
        spot.at,
        62,
        `${random.hex(8)} ${random.hex(8)} 00000000 ${random.hex(8)} ${random.hex(8)}`,
        'unknown',
      );
    else xid(spot, spot.at, 143, 'GPU Initialization Failure', 'unknown');
    if (random.chance(0.4))
      xid(
        spot,
        spot.at + 50 * second,
        154,
        'GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)',
        'unknown',
      );
    if (random.chance(0.5)) {
      stage.kernel(
        machine,
        spot.at + 2.2 * minute,
        `INFO: task nv_queue:${random.int(2000, 9000)} blocked for more than 120 seconds.`,
      );
    }
    return { how: 'stalls', at: spot.at, ranks: [spot.rank] };
  },
  proofs: [epilogLosesGpu, gaugeOf(119), gpuCountTooLow],
};

/** A GPU too few, as the scheduler counts them; the kernel said nothing. */
export const gpuMissing: NodeFault = {
  family: 'gpu-count',
  categories: ['accelerator_gpu'],
  inKernelLog: false,
  play(spot) {
    return { how: 'stalls', at: spot.at, ranks: [spot.rank] };
  },
  proofs: [gpuCountTooLow],
};
