import type { Machine } from './cluster.ts';
import { type JobEnd, ranksOf, type Stage, second } from './stage.ts';
import { isoSeconds } from './text/stamps.ts';

/** How the job ends, as the scheduler sees it. */
export interface Ending {
  readonly at: number;
  readonly state: string;
  readonly exit: string;
  /** What srun says of the tasks of a node. */
  readonly taskWord: string;
  /** Machines that can no longer clean up. */
  readonly gone: readonly Machine[];
  /** Every other machine removes channels, and says so. */
  readonly allCleanUp: boolean;
}

/** The launcher kills what is left: drivers remove channels, and somebody drains a node that was slow to die. */
export function tearDown(stage: Stage, ending: Ending): void {
  const { random, job, machines } = stage;
  const { at } = ending;
  const end: JobEnd = { at: at + random.between(2, 30) * second, state: ending.state, exit: ending.exit };
  stage.end = end;
  stage.print(null, at, 'srun: Job step aborted: Waiting up to 32 seconds for job step to finish.');
  stage.print(
    null,
    at + 5,
    `slurmstepd: error: *** STEP ${job.id}.0 ON ${machines[0]?.name} CANCELLED AT ${isoSeconds(at)} ***`,
  );
  const told = random.shuffled(machines).slice(0, 64);
  for (const machine of told) {
    const ranks = ranksOf(machine);
    stage.print(
      null,
      at + random.between(0.1, 3) * second,
      `srun: error: ${machine.name}: tasks ${ranks[0]}-${ranks.at(-1)}: ${ending.taskWord}`,
    );
  }
  if (ending.allCleanUp || random.chance(0.75)) removeChannels(stage, ending);
}

/** Xid 45 on whatever GPU still had work: hundreds of lines that accuse nobody. */
function removeChannels(stage: Stage, { at, gone, allCleanUp }: Ending): void {
  const random = stage.random.fork('channels');
  const most = stage.machines.length <= 16 ? 8 : stage.machines.length <= 128 ? 3 : 1;
  const named = random.chance(0.8);
  for (const machine of stage.machines) {
    if (gone.includes(machine) || (!allCleanUp && random.chance(0.1))) continue;
    const when = at + random.between(0.5, 9) * second;
    for (const gpu of random.some(machine.gpus, random.int(1, most))) {
      const pid = stage.pid(machine.firstRank + gpu.index);
      const who = named
        ? `pid=${pid}, name=python3, Ch 0000000${random.int(0, 9)}`
        : `pid=${pid}, Ch 000000${random.hex(2)}`;
      stage.kernel(machine, when + gpu.index, `NVRM: Xid (PCI:${gpu.pci}): 45, ${who}`);
    }
  }
}
