import type { Random } from '../random.ts';
import { minute, type Stage } from '../stage.ts';
import { pythonStamp, spaced } from '../text/stamps.ts';

/** What a training run prints before it trains: arguments, warnings, and where NCCL placed its ranks. */
export function printStart(stage: Stage): void {
  const { job, machines, random } = stage;
  const at = job.start + 8_000;
  stage.print(null, at, `Job ${job.id} on ${machines.length} nodes`);
  stage.print(null, at, `MASTER_ADDR=${machines[0]?.name} MASTER_PORT=29500 WORLD_SIZE=${job.world}`);
  const shown = job.world <= 128 ? job.world : 8;
  for (let rank = 0; rank < shown; rank += 1) {
    if (random.chance(0.3)) stage.print(rank, at + 4_000, random.pick(warnings));
  }
  stage.print(
    0,
    at + 9_000,
    `using world size: ${job.world}, tensor-model-parallel size: 8, pipeline-model-parallel size: 1`,
  );
  stage.print(
    0,
    at + 9_100,
    `  lr .............................................. ${random.pick(['0.00015', '3e-05', '0.0003'])}`,
  );
  if (stage.needs.places && stage.needs.collectives) printPlaces(stage, at + 20_000);
}

const warnings = [
  '/opt/venv/lib/python3.10/site-packages/torch/utils/checkpoint.py:295: FutureWarning: `torch.cpu.amp.autocast(args...)` is deprecated.',
  'WARNING:root:Apex is not installed, falling back to the native fused kernels',
  'wandb: WARNING Calling wandb.login() after wandb.init() has no effect.',
  'wandb: Network error (ReadTimeout), entering retry loop.',
  'UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors.',
  'Error in sys.excepthook: telemetry thread stopped, continuing without telemetry',
];

function printPlaces(stage: Stage, at: number): void {
  const { machines, job, random } = stage;
  const id = `0x${random.hex(16)}`;
  const perNode = machines.length <= 64 ? undefined : 1;
  for (const machine of machines) {
    for (const gpu of machine.gpus.slice(0, perNode)) {
      const rank = machine.firstRank + gpu.index;
      stage.nccl(rank, at + gpu.index, `NCCL INFO Bootstrap : Using eth0:${machine.address}<0>`);
      const bus = gpu.pci.split(':')[1] ?? '';
      stage.nccl(
        rank,
        at + 9_000 + gpu.index,
        `NCCL INFO ncclCommInitRank comm 0x${random.hex(12)} rank ${rank} nranks ${job.world} cudaDev ${gpu.index} nvmlDev ${gpu.index} busId ${bus}000 commId ${id} - Init COMPLETE`,
      );
    }
  }
}

type Step = (random: Random, at: number, step: number) => string;

const stampedSteps: readonly Step[] = [
  (random, at, step) =>
    ` [${spaced(at)}] iteration ${String(step).padStart(8)}/  500000 | consumed samples: ${step * 512} | elapsed time per iteration (ms): ${random.between(700, 14_000).toFixed(1)} | learning rate: 1.5E-04 | global batch size:   512 | lm loss: ${random.between(1.8, 3).toFixed(6)}E+00 | loss scale: 1.0 | grad norm: ${random.between(0.1, 1).toFixed(3)} | number of skipped iterations:   0 | number of nan iterations:   0 |`,
  (random, at, step) =>
    `[${pythonStamp(at)}] [INFO] [logging.py:96:log_dist] [Rank 0] step=${step}, skipped=0, lr=[0.00015], mom=[(0.9, 0.95)] loss=${random.between(1.8, 3).toFixed(4)}`,
  (random, at, step) =>
    `${pythonStamp(at)} INFO completed step: ${step}, seconds: ${random.between(2, 9).toFixed(3)}, TFLOP/s/device: ${random.between(300, 500).toFixed(1)}, loss: ${random.between(1.8, 3).toFixed(3)}`,
];
const bareSteps: readonly Step[] = [
  (random, _at, step) =>
    `{'loss': ${random.between(1.8, 3).toFixed(4)}, 'grad_norm': ${random.between(0.1, 1).toFixed(3)}, 'learning_rate': 1.5e-05, 'epoch': ${(step / 9000).toFixed(2)}}`,
  (_random, _at, step) =>
    `Epoch 0:  ${Math.min(99, Math.floor(step / 90))}%|##        | ${step}/9000 [1:02:11<5:10:41,  0.48it/s]`,
];

/** Training goes on until `to`; only what was said in the last half hour stands for the rest. */
export function printSteps(stage: Stage, to: number): void {
  const { job } = stage;
  const random = stage.random.fork('steps');
  const say = job.saysSteps ? random.pick(stampedSteps) : random.pick(bareSteps);
  const every = random.between(12_000, 60_000);
  const from = Math.max(job.start + 2 * minute, to - 30 * minute);
  const speaker = random.chance(0.5) ? 0 : job.world - 1;
  let step = random.int(20, 90_000);
  for (let at = from; at < to; at += every * random.between(0.9, 1.1)) {
    stage.print(speaker, at, say(random, at, step));
    step += 1;
    if (random.chance(0.03)) stage.print(0, at + 500, random.pick(chatter));
  }
}

const chatter = [
  'wandb: Network error (ConnectionError), entering retry loop.',
  'WARNING: skipped one batch because of an invalid sample',
  'INFO:root:evaluation finished, perplexity 11.42',
  'DeprecationWarning: invalid escape sequence',
];
