import { minute, others, ranksOf, type Stage, second } from './stage.ts';
import { printTransportErrors, timeOut } from './victims.ts';

/** A failure whose cause no evidence tells. Returns when the job was over. */
export interface Unknowable {
  readonly family: string;
  play(
    stage: Stage,
    at: number,
  ): { readonly endAt: number; readonly hidden: string | null; readonly state: string };
}

/** Some ranks stay silent: nobody can say that all stood at one place. */
const silentRanks = (stage: Stage): readonly number[] => {
  const machine = stage.random.pick(stage.machines);
  return ranksOf(machine).slice(0, stage.random.int(1, 4));
};

export const timeOutsWithoutNodeLogs: Unknowable = {
  family: 'time-outs-without-node-logs',
  play(stage, at) {
    for (const machine of stage.machines) stage.unreadable.add(machine);
    return { endAt: timeOut(stage, at, silentRanks(stage)), hidden: null, state: 'FAILED' };
  },
};

export const silentHang: Unknowable = {
  family: 'silent-hang',
  play(stage, at) {
    return { endAt: timeOut(stage, at, silentRanks(stage)), hidden: null, state: 'FAILED' };
  },
};

/** A node was at fault, but its log is gone and nobody else can tell. */
export const lostEvidence: Unknowable = {
  family: 'lost-evidence',
  play(stage, at) {
    const machine = stage.random.pick(stage.machines);
    stage.unreadable.add(machine);
    return { endAt: timeOut(stage, at, ranksOf(machine).slice(0, 1)), hidden: machine.name, state: 'FAILED' };
  },
};

export const transportOnly: Unknowable = {
  family: 'transport-only',
  play(stage, at) {
    const { random } = stage;
    const peer = random.pick(stage.machines);
    for (const machine of random.some(stage.machines, random.int(0, stage.machines.length)))
      stage.unreadable.add(machine);
    printTransportErrors(stage, peer, at);
    if (random.chance(0.5)) printTransportErrors(stage, random.pick(others(stage, peer)), at + 20);
    stage.decoys.push({ node: peer.name, what: 'its peers name it' });
    return { endAt: timeOut(stage, at, silentRanks(stage)), hidden: null, state: 'FAILED' };
  },
};

export const killedWithoutWord: Unknowable = {
  family: 'killed-without-word',
  play(stage, at) {
    const { random } = stage;
    const machine = random.pick(stage.machines);
    const rank = random.pick(ranksOf(machine));
    if (random.chance(0.5)) for (const other of stage.machines) stage.unreadable.add(other);
    stage.print(null, at + second, `srun: error: ${machine.name}: task ${rank}: Killed`);
    stage.decoys.push({ node: machine.name, what: 'its task was killed first' });
    return { endAt: at + random.between(5, 60) * second, hidden: null, state: 'FAILED' };
  },
};

/** A context switch times out once: a program that never yields or a GPU that hangs. */
export const ambiguousOnce: Unknowable = {
  family: 'ambiguous-once',
  play(stage, at) {
    const { random } = stage;
    const machine = random.pick(stage.machines);
    const gpu = random.pick(machine.gpus);
    stage.kernel(
      machine,
      at,
      `NVRM: Xid (PCI:${gpu.pci}): 109, pid=${stage.pid(machine.firstRank + gpu.index)}, name=python3, Ch 00000018, errorString CTX SWITCH TIMEOUT, Info 0x4c018`,
    );
    stage.decoys.push({ node: machine.name, what: 'an ambiguous error of its GPU, once' });
    return { endAt: timeOut(stage, at, [machine.firstRank + gpu.index]), hidden: null, state: 'FAILED' };
  },
};

/** The end that somebody wanted. */
export const timeLimit: Unknowable = {
  family: 'time-limit',
  play(stage, at) {
    stage.print(
      null,
      at + 3 * second,
      `slurmstepd: error: *** STEP ${stage.job.id}.0 ON ${stage.machines[0]?.name} CANCELLED AT ${new Date(at).toISOString().slice(0, 19)} DUE TO TIME LIMIT ***`,
    );
    return { endAt: at + 4 * second, hidden: null, state: 'TIMEOUT' };
  },
};

export const cancelled: Unknowable = {
  family: 'cancelled',
  play(stage, at) {
    stage.print(
      null,
      at + second,
      `slurmstepd: error: *** JOB ${stage.job.id} ON ${stage.machines[0]?.name} CANCELLED AT ${new Date(at).toISOString().slice(0, 19)} ***`,
    );
    return { endAt: at + 2 * second, hidden: null, state: 'CANCELLED by 1001' };
  },
};

export const preempted: Unknowable = {
  family: 'preempted',
  play(stage, at) {
    stage.print(
      null,
      at + second,
      `slurmstepd: error: *** JOB ${stage.job.id} ON ${stage.machines[0]?.name} CANCELLED AT ${new Date(at).toISOString().slice(0, 19)} DUE TO PREEMPTION ***`,
    );
    return { endAt: at + stage.random.between(0.1, 1) * minute, hidden: null, state: 'PREEMPTED' };
  },
};
