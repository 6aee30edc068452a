import { ranksOf, second } from '../stage.ts';
import type { NodeFault, Spot } from './fault.ts';

/** One node lacks what the others have: a container that does not start, a mount, a module, free memory. */
export const nodeSetup: NodeFault = {
  family: 'node-setup',
  categories: ['node_configuration', 'container_runtime', 'storage_local', 'storage_shared', 'scheduler'],
  inKernelLog: true,
  atStart: true,
  play(spot) {
    const { stage, machine, at } = spot;
    stage.needs.places = true;
    const said = stage.random.pick(lacks)(spot);
    for (const rank of ranksOf(machine)) stage.print(rank, at + stage.random.next() * 900, said);
    stage.print(
      null,
      at + 2 * second,
      `srun: error: ${machine.name}: tasks ${tasksOf(spot)}: Exited with exit code 1`,
    );
    return { how: 'dies', at: at + second, ranks: ranksOf(machine).slice(0, 1) };
  },
  proofs: [],
};

function tasksOf({ machine }: Spot): string {
  const ranks = ranksOf(machine);
  return `${ranks[0]}-${ranks.at(-1)}`;
}

const lacks: readonly ((spot: Spot) => string)[] = [
  ({ stage }) =>
    [
      `slurmstepd: error: pyxis: child ${stage.random.int(2000, 900_000)} failed with error code: 1`,
      'slurmstepd: error: pyxis: container start failed with error code: 1',
      `slurmstepd: error: pyxis:     ${stage.random.pick(starts)}`,
      "slurmstepd: error: pyxis: couldn't start container",
    ].join('\n'),
  ({ stage }) =>
    `Traceback (most recent call last):\n  File "/workspace/train.py", line ${stage.random.int(9, 90)}, in <module>\n${stage.random.pick(absent)}`,
  ({ stage }) =>
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.31 GiB is free. Process ${stage.random.int(2000, 900_000)} has 70.02 GiB memory in use. Including non-PyTorch memory, this process has 7.70 GiB memory in use.`,
];

const starts = [
  'nvidia-container-cli: initialization error: nvml error: driver not loaded',
  'enroot-nsenter: failed to create user namespace: No space left on device',
  '[ERROR] /etc/enroot/hooks.d/98-nvidia.sh exited with return code 1',
];

const absent = [
  "FileNotFoundError: [Errno 2] No such file or directory: '/data/tokens/index.json'",
  "ModuleNotFoundError: No module named 'flash_attn'",
];
