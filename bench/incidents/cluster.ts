import type { Random } from './random.ts';

export interface Gpu {
  readonly index: number;
  /** `0000:1b:00`, without function. */
  readonly pci: string;
  readonly uuid: string;
}

export interface Nic {
  /** `mlx5_0`. */
  readonly device: string;
  /** `0000:18:00.0`. */
  readonly pci: string;
  /** `ibp24s0`. */
  readonly netdev: string;
}

/** A node of the job as a machine. */
export interface Machine {
  readonly index: number;
  readonly name: string;
  readonly address: string;
  /** Those of the job, one a rank. */
  readonly gpus: readonly Gpu[];
  /** Those that other jobs may use. */
  readonly spareGpus: readonly Gpu[];
  readonly nics: readonly Nic[];
  /** Milliseconds since 1970. */
  readonly bootAt: number;
  /** What its clock shows beyond the true time, in milliseconds. */
  readonly skewMs: number;
  readonly firstRank: number;
}

type Naming = (index: number) => string;

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** How clusters call their nodes. */
function namingOf(random: Random, count: number): Naming {
  const width = Math.max(2, String(count + 1).length);
  const offset = random.int(0, count > 900 ? 0 : 9);
  return random.pick<Naming>([
    index => `node-${digits(index + 1 + offset, width)}`,
    index => `node${digits(index + 1 + offset, width)}`,
    index => `gpu-${digits(index + 1 + offset, width)}`,
    index => `r${digits(Math.floor(index / 16) + 1, 2)}n${digits((index % 16) + 1, 2)}`,
    index => `cn-a-${digits(index + 1 + offset, width + 1)}`,
    index => `node-${digits(index + 1 + offset, width)}.train.example`,
    index => `ip-10-0-${Math.floor(index / 250)}-${(index % 250) + 4}`,
  ]);
}

const gpuBuses = ['1b', '29', '45', '5e', '9a', 'ab', 'c2', 'db'];
const wideGpus = ['0008:01:00', '0009:01:00', '0018:01:00', '0019:01:00'];
const nicBuses = ['18', '2c', '40', '53', '96', 'a7', 'bd', 'd4'];

/** The machines of a job. Every GPU is one rank; ranks fill machine by machine, now and then in another order. */
export function clusterOf(random: Random, count: number, start: number): readonly Machine[] {
  const name = namingOf(random, count);
  const gpusPerNode = random.chance(0.15) ? 4 : 8;
  const ofJob = gpusPerNode === 8 && random.chance(0.12) ? 4 : gpusPerNode;
  const order = Array.from({ length: count }, (_, index) => index);
  const places = random.chance(0.12) ? random.shuffled(order) : order;
  const bootedTogether = start - random.between(2, 40) * 86_400_000;
  const off = random.chance(0.1) ? random.int(0, count - 1) : -1;
  return order.map(index => ({
    index,
    name: name(index),
    address: `10.${random.chance(0.5) ? 0 : 1}.${Math.floor(index / 200)}.${(index % 200) + 10}`,
    ...gpusOf(random, gpusPerNode, ofJob),
    nics: nicBuses.slice(0, gpusPerNode).map((bus, nic) => ({
      device: `mlx5_${nic}`,
      pci: `0000:${bus}:00.0`,
      netdev: `ibp${Number.parseInt(bus, 16)}s0`,
    })),
    bootAt: bootedTogether + random.between(0, 3_600_000),
    skewMs: skewOf(random, index === off),
    firstRank: (places[index] ?? index) * ofJob,
  }));
}

function gpusOf(random: Random, count: number, ofJob: number): Pick<Machine, 'gpus' | 'spareGpus'> {
  const all = Array.from({ length: count }, (_, index) => ({
    index,
    pci: count === 4 ? (wideGpus[index] ?? '') : `0000:${gpuBuses[index]}:00`,
    uuid: uuidOf(random.hex(32)),
  }));
  return { gpus: all.slice(0, ofJob), spareGpus: all.slice(ofJob) };
}

function uuidOf(hex: string): string {
  return `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** GPUs of the machine, whoever uses them. */
export function gpuCount(machine: Machine): number {
  return machine.gpus.length + machine.spareGpus.length;
}

/** Most clocks are kept in step; some run seconds off, and one of a few jobs has a clock that is minutes off. */
function skewOf(random: Random, minutes: boolean): number {
  if (minutes) return random.between(60_000, 300_000) * (random.chance(0.5) ? 1 : -1);
  return random.chance(0.75) ? random.between(-80, 80) : random.between(-4_000, 4_000);
}

/** A machine and one of the job's GPUs on it. */
export interface Place {
  readonly machine: Machine;
  readonly gpu: Gpu;
}

/** Finds where a rank runs. Throws RangeError for a rank that the job does not have. */
export function placesOf(machines: readonly Machine[]): (rank: number) => Place {
  const perNode = machines[0]?.gpus.length ?? 1;
  const bySlot = new Map(machines.map(machine => [machine.firstRank / perNode, machine]));
  return rank => {
    const machine = bySlot.get(Math.floor(rank / perNode));
    const gpu = machine?.gpus[rank % perNode];
    if (machine === undefined || gpu === undefined) throw new RangeError(`no machine runs rank ${rank}`);
    return { machine, gpu };
  };
}
