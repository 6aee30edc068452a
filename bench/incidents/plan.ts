import type { ApplicationFault } from './applications/application.ts';
import * as device from './applications/device.ts';
import * as program from './applications/program.ts';
import { coincidences } from './coincidences.ts';
import type { NodeFault } from './faults/fault.ts';
import * as gpu from './faults/gpu.ts';
import * as links from './faults/links.ts';
import * as memory from './faults/memory.ts';
import * as node from './faults/node.ts';
import { nodeSetup } from './faults/setup.ts';
import type { Random } from './random.ts';
import type { SharedFault } from './shared-faults.ts';
import * as shared from './shared-faults.ts';
import type { Unknowable } from './unknowable.ts';
import * as unknowable from './unknowable.ts';

export const nodeFaults: readonly NodeFault[] = [
  gpu.gpuOffBus,
  gpu.gpuOffBusUnnumbered,
  gpu.gpuFirmware,
  gpu.gpuMissing,
  memory.gpuMemory,
  memory.hostMemory,
  memory.kernelPanic,
  memory.hardLockup,
  links.pcieFatal,
  links.nicFirmware,
  links.linkDown,
  links.nvlink,
  links.nvswitch,
  node.nodeLost,
  node.unexpectedReboot,
  node.localDisk,
  node.diskFull,
  node.thermal,
  node.storageClient,
  node.fabricService,
  nodeSetup,
];

export const applicationFaults: readonly ApplicationFault[] = [
  program.pythonError,
  program.configuration,
  program.modelHub,
  program.checkpoint,
  program.dataset,
  program.sharedQuota,
  program.notANumber,
  program.desynchronised,
  program.launcherError,
  program.imageRefused,
  device.cudaOutOfMemory,
  device.illegalAccess,
  device.deviceAssert,
  device.noKernelImage,
  device.memoryLimit,
  device.segmentationFault,
];

export const sharedFaults: readonly SharedFault[] = [
  shared.switchDown,
  shared.fileServer,
  shared.powerLoss,
  shared.subnetManager,
  shared.cooling,
];

export const unknowables: readonly Unknowable[] = [
  unknowable.timeOutsWithoutNodeLogs,
  unknowable.silentHang,
  unknowable.lostEvidence,
  unknowable.transportOnly,
  unknowable.killedWithoutWord,
  unknowable.ambiguousOnce,
];

export const wantedEnds: readonly Unknowable[] = [
  unknowable.timeLimit,
  unknowable.cancelled,
  unknowable.preempted,
];

/** What an incident is about. */
export type Subject =
  | { readonly kind: 'node'; readonly fault: NodeFault }
  | { readonly kind: 'job'; readonly fault: ApplicationFault }
  | { readonly kind: 'shared'; readonly fault: SharedFault }
  | { readonly kind: 'unknowable' | 'ended'; readonly fault: Unknowable };

export interface Planned {
  readonly subject: Subject;
  readonly nodes: number;
}

/** How many of each subject: every family of node faults often enough to be judged by itself. */
export interface Shares {
  readonly perNodeFault: number;
  readonly perApplicationFault: number;
  readonly perSharedFault: number;
  readonly perUnknowable: number;
  readonly perWantedEnd: number;
  /** Real faults without a part in the failure; few, as they are. */
  readonly perCoincidence: number;
}

export const usualShares: Shares = {
  perNodeFault: 12,
  perApplicationFault: 7,
  perSharedFault: 8,
  perUnknowable: 10,
  perWantedEnd: 5,
  perCoincidence: 1,
};

/** All subjects of a seed with the sizes of their jobs, in random order. */
export function planOf(random: Random, shares: Shares): readonly Planned[] {
  const times = <T>(list: readonly T[], count: number): T[] =>
    list.flatMap(item => Array.from({ length: count }, () => item));
  const planned: Planned[] = [
    ...times(nodeFaults, shares.perNodeFault).map(fault => ({
      subject: { kind: 'node', fault } as const,
      nodes: sizeOf(random),
    })),
    ...times(applicationFaults, shares.perApplicationFault).map(fault => ({
      subject: { kind: 'job', fault } as const,
      nodes: sizeOf(random),
    })),
    ...times(unknowables, shares.perUnknowable).map(fault => ({
      subject: { kind: 'unknowable', fault } as const,
      nodes: sizeOf(random),
    })),
    ...times(coincidences, shares.perCoincidence).map(fault => ({
      subject: { kind: 'unknowable', fault } as const,
      nodes: sizeOf(random),
    })),
    ...times(wantedEnds, shares.perWantedEnd).map(fault => ({
      subject: { kind: 'ended', fault } as const,
      nodes: sizeOf(random),
    })),
    ...times(sharedFaults, shares.perSharedFault).map((fault, index) => ({
      subject: { kind: 'shared', fault } as const,
      nodes: fault.family === 'power' || index % 4 > 0 ? random.int(17, 96) : random.int(4, 16),
    })),
  ];
  const shuffled = random.shuffled(planned);
  return shuffled.map((entry, index) => (index === 0 ? { ...entry, nodes: 4096 } : entry));
}

/** Most jobs are small; a few are very large. */
function sizeOf(random: Random): number {
  const draw = random.next();
  if (draw < 0.14) return 2;
  if (draw < 0.45) return random.int(3, 4);
  if (draw < 0.72) return random.int(5, 8);
  if (draw < 0.9) return random.int(9, 16);
  if (draw < 0.975) return random.int(17, 64);
  return draw < 0.995 ? random.int(65, 256) : random.int(257, 1024);
}
