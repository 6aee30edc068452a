import { clusterOf, type Machine, type Place, placesOf } from './cluster.ts';
import type { Decoy, SaidLine } from './incident.ts';
import type { Random } from './random.ts';

/** Milliseconds. */
export const second = 1000;
export const minute = 60 * second;

/** The job of an incident. Times are milliseconds since 1970 and true, whatever the clocks of its nodes show. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly start: number;
  /** The limit of a collective. */
  readonly limitMs: number;
  readonly world: number;
  /** Whether its loop prints a stamped line a step. */
  readonly saysSteps: boolean;
  /** Whether the driver tells no process where it knows none. */
  readonly quietDriver: boolean;
}

/** What was written somewhere, before it is put into the form of that place. */
export interface Written extends SaidLine {
  readonly order: number;
}
export interface KernelLine extends Written {
  readonly machine: Machine;
  readonly unit: string;
}
export interface JobLine extends Written {
  /** Null: the launcher's own. */
  readonly rank: number | null;
}
export interface EpilogLine extends Written {
  readonly machine: Machine;
  readonly unit: string;
}

/** What `scontrol` would tell of a node, where it differs from an idle one. */
export interface NodeState {
  readonly state: string;
  readonly reason: string | null;
  readonly at: number;
}

/** A gauge or counter of one node over time, as an exporter gave it. */
export interface Series {
  readonly machine: Machine;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  valueAt: (at: number) => number;
}

/** Each is chance until a part needs it. */
export interface Needs {
  /** Labels tell the rank of a line, and NCCL which rank runs where. */
  places: boolean;
  /** Collectives were set up before the failure. */
  collectives: boolean;
  /** Kernel logs hold what daemons write. */
  daemons: boolean;
  /** Kernel logs tell their dates by themselves. */
  dates: boolean;
  /** What the scheduler says remains. */
  scheduler: boolean;
}

export interface JobEnd {
  readonly at: number;
  readonly state: string;
  readonly exit: string;
}

/** Where an incident is played: parts write on it what they would leave behind. */
export interface Stage {
  readonly random: Random;
  readonly machines: readonly Machine[];
  readonly job: Job;
  readonly kernelLines: KernelLine[];
  readonly jobLines: JobLine[];
  readonly daemonLines: Written[];
  readonly epilogLines: EpilogLine[];
  readonly series: Series[];
  readonly nodeStates: Map<Machine, NodeState>;
  readonly decoys: Decoy[];
  /** Nodes whose kernel log is missing. */
  readonly unreadable: Set<Machine>;
  /** Nodes that stopped writing, and when. */
  readonly silentFrom: Map<Machine, number>;
  /** Boots other than the one long before the job. */
  readonly boots: Map<Machine, number>;
  /** What the texts must be able to tell for the truth to be in them. */
  readonly needs: Needs;
  /** GPUs of each node that the job was given, where it shares its nodes. */
  readonly gpusOfJob: number | null;
  end: JobEnd | null;

  kernel(machine: Machine, at: number, text: string, unit?: string): void;
  /** A line of a rank; several lines stay together. */
  print(rank: number | null, at: number, text: string): void;
  /** A line of NCCL with its prefix of host, process and GPU. */
  nccl(rank: number, at: number, text: string): void;
  /** A line of the scheduler's controller. */
  daemon(at: number, text: string): void;
  epilog(machine: Machine, at: number, text: string, unit?: string): void;
  place(rank: number): Place;
  pid(rank: number): number;
}

export interface StagePlan {
  readonly nodes: number;
}

/** An empty stage with its machines and job. */
export function stageOf(random: Random, plan: StagePlan): Stage {
  const start = Date.UTC(2026, random.int(0, 10), random.int(1, 28), random.int(0, 23), random.int(0, 59));
  const machines = clusterOf(random, plan.nodes, start);
  const gpus = machines[0]?.gpus.length ?? 8;
  const firstPid = random.int(20_000, 900_000);
  let order = 0;
  const stage: Stage = {
    random,
    machines,
    job: {
      id: String(random.int(10_000, 9_999_999)),
      name: random.pick(['pretrain', 'train-gpt', 'llm-7b', 'sft', 'moe-base', 'vit-large']),
      user: `user${random.int(1, 9)}`,
      start,
      limitMs: random.pick([600, 600, 600, 900, 1800, 300]) * second,
      world: machines.length * gpus,
      saysSteps: random.chance(0.8),
      quietDriver: random.chance(0.15),
    },
    kernelLines: [],
    jobLines: [],
    daemonLines: [],
    epilogLines: [],
    series: [],
    nodeStates: new Map(),
    decoys: [],
    unreadable: new Set(),
    silentFrom: new Map(),
    boots: new Map(),
    needs: {
      places: random.chance(0.7),
      collectives: true,
      daemons: false,
      dates: false,
      scheduler: random.chance(0.85),
    },
    gpusOfJob: (machines[0]?.spareGpus.length ?? 0) > 0 ? gpus : null,
    end: null,
    kernel(machine, at, text, unit = 'kernel') {
      stage.kernelLines.push({ machine, unit, at, node: machine.name, text, order: order++ });
    },
    print(rank, at, text) {
      const node = rank === null ? null : stage.place(rank).machine.name;
      for (const line of text.split('\n')) stage.jobLines.push({ rank, at, node, text: line, order: order++ });
    },
    nccl(rank, at, text) {
      const { machine, gpu } = stage.place(rank);
      const pid = stage.pid(rank);
      stage.print(rank, at, `${machine.name}:${pid}:${pid + 713} [${gpu.index}] ${text}`);
    },
    daemon(at, text) {
      stage.daemonLines.push({ at, node: null, text, order: order++ });
    },
    epilog(machine, at, text, unit = 'epilog') {
      stage.epilogLines.push({ machine, unit, at, node: machine.name, text, order: order++ });
    },
    place: placesOf(machines),
    pid: rank => firstPid + rank * 3,
  };
  return stage;
}

/** A time after `at`, up to `jitterMs` later. */
export function after(stage: Stage, at: number, jitterMs: number): number {
  return at + stage.random.next() * jitterMs;
}

/** The machines but one. */
export function others(stage: Stage, machine: Machine | null): readonly Machine[] {
  return stage.machines.filter(other => other !== machine);
}

/** The ranks of a machine. */
export function ranksOf(machine: Machine): readonly number[] {
  return machine.gpus.map(gpu => machine.firstRank + gpu.index);
}
