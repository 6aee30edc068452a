import { gpuCount, type Machine } from '../cluster.ts';
import type { Stage } from '../stage.ts';
import { isoSeconds } from './stamps.ts';

/** `node-[01-08]`: consecutive numbers fold, others stand apart. */
export function hostList(names: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [, head = name, number = '', tail = ''] = /^(.*?)(\d+)((?:\.[a-z.]+)?)$/.exec(name) ?? [];
    const key = `${head}|${number.length}|${tail}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [number]);
    else group.push(number);
  }
  return [...groups]
    .map(([key, numbers]) => {
      const [head = '', , tail = ''] = key.split('|');
      const folded = foldNumbers(numbers);
      return folded.length === 1 && !folded[0]?.includes('-')
        ? `${head}${folded[0]}${tail}`
        : `${head}[${folded.join(',')}]${tail}`;
    })
    .join(',');
}

function foldNumbers(numbers: readonly string[]): readonly string[] {
  const sorted = [...numbers].sort();
  const runs: string[][] = [];
  for (const number of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(number)) run.push(number);
    else runs.push([number]);
  }
  return runs.map(run => (run.length === 1 ? (run[0] ?? '') : `${run[0]}-${run.at(-1)}`));
}

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** `sacct -P` about the job and its steps. */
export function sacctText(stage: Stage): string {
  const { job, machines, end } = stage;
  const nodes = hostList(machines.map(machine => machine.name));
  const stop = end?.at ?? job.start;
  const times = `${isoSeconds(job.start)}|${isoSeconds(stop)}|${elapsed(stop - job.start)}`;
  const state = end?.state ?? 'RUNNING';
  const exit = end?.exit ?? '0:0';
  const stepState = /^CANCELLED/.test(state) ? 'CANCELLED' : state;
  return [
    'JobID|JobName|User|Partition|State|ExitCode|DerivedExitCode|Start|End|Elapsed|NNodes|NodeList|Reason',
    `${job.id}|${job.name}|${job.user}|train|${state}|${exit}|${exit}|${times}|${machines.length}|${nodes}|None`,
    `${job.id}.batch|batch|||${stepState}|${exit}||${times}|1|${machines[0]?.name}|`,
    `${job.id}.extern|extern|||COMPLETED|0:0||${times}|${machines.length}|${nodes}|`,
    `${job.id}.0|python|||${stepState}|${exit}||${times}|${machines.length}|${nodes}|`,
    '',
  ].join('\n');
}

/** `scontrol show job`, with the GPUs given where the job shares its nodes (`-d`). */
export function jobText(stage: Stage, oneLine: boolean): string {
  const { job, machines, end, gpusOfJob } = stage;
  const nodes = hostList(machines.map(machine => machine.name));
  const stop = end?.at ?? job.start;
  const state = (end?.state ?? 'RUNNING').split(' ')[0];
  const parts = [
    `JobId=${job.id} JobName=${job.name}`,
    `UserId=${job.user}(1001) GroupId=users(100) MCS_label=N/A`,
    `JobState=${state} Reason=${state === 'NODE_FAIL' ? 'NodeDown' : state === 'TIMEOUT' ? 'TimeLimit' : 'None'} Dependency=(null)`,
    `Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=${end?.exit ?? '0:0'}`,
    `RunTime=${elapsed(stop - job.start)} TimeLimit=2-00:00:00 TimeMin=N/A`,
    `StartTime=${isoSeconds(job.start)} EndTime=${isoSeconds(stop)} Deadline=N/A`,
    `NodeList=${nodes}`,
    `BatchHost=${machines[0]?.name}`,
    `NumNodes=${machines.length} NumTasks=${job.world} CPUs/Task=14`,
    ...(gpusOfJob === null
      ? []
      : [`Nodes=${nodes} CPU_IDs=0-111 Mem=512000 GRES=gpu:h100:${gpusOfJob}(IDX:0-${gpusOfJob - 1})`]),
    `WorkDir=/home/${job.user}/run`,
  ];
  return `${parts.join(oneLine ? ' ' : '\n   ')}\n`;
}

/** `scontrol show node` of every node of the job. */
export function nodesText(stage: Stage, oneLine: boolean): string {
  const blocks = stage.machines.map(machine => nodeParts(stage, machine).join(oneLine ? ' ' : '\n   '));
  return `${blocks.join(oneLine ? '\n' : '\n\n')}\n`;
}

function nodeParts(stage: Stage, machine: Machine): readonly string[] {
  const gpus = gpuCount(machine);
  const { state, reason, at } = stage.nodeStates.get(machine) ?? { state: 'IDLE', reason: null, at: 0 };
  const boot = stage.boots.get(machine) ?? machine.bootAt;
  return [
    `NodeName=${machine.name} Arch=x86_64 CoresPerSocket=56`,
    `Gres=gpu:h100:${gpus}`,
    `NodeAddr=${machine.name} NodeHostName=${machine.name.split('.')[0]} Version=23.11.4`,
    `RealMemory=2063000 AllocMem=0 FreeMem=${1_900_000 + machine.index} Sockets=2 Boards=1`,
    `State=${state} ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A`,
    'Partitions=train',
    `BootTime=${isoSeconds(boot)} SlurmdStartTime=${isoSeconds(boot + 95_000)}`,
    `CfgTRES=cpu=224,mem=2063000M,billing=224,gres/gpu=${gpus}`,
    ...(reason === null
      ? []
      : [`Reason=${reason} [${state.startsWith('DOWN') ? 'slurm' : 'root'}@${isoSeconds(at)}]`]),
  ];
}
