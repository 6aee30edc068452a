import { pythonError } from './applications/program.ts';
import { gpuOffBus } from './faults/gpu.ts';
import { gather } from './gather.ts';
import type { Incident, Truth } from './incident.ts';
import { kernelShapes, type Quoting, quotings } from './kernel-shapes.ts';
import { printStart, printSteps } from './noise/job-noise.ts';
import { makeKernelNoise } from './noise/kernel-noise.ts';
import { randomOf } from './random.ts';
import { minute, others, type Stage, second, stageOf } from './stage.ts';
import { tearDown } from './teardown.ts';
import { giveUp, sufferFrom } from './victims.ts';

const plain: Omit<Truth, 'kind' | 'node' | 'family'> = {
  hidden: null,
  categories: [],
  decoys: [],
  culpritLogMissing: false,
  provenLate: false,
};

/** A GPU of one node of 1,024 falls off its bus; every other node logs a time-out and removes channels. */
export function oneOf1024(seed: string): Incident {
  const random = randomOf(`${seed}/one-of-1024`);
  const stage = stageOf(random, { nodes: 1024 });
  const at = stage.job.start + random.between(20, 200) * minute;
  const machine = random.pick(stage.machines.filter(candidate => Math.abs(candidate.skewMs) < 5 * second));
  const gpu = random.pick(machine.gpus);
  gpuOffBus.play({ stage, machine, gpu, rank: machine.firstRank + gpu.index, at });
  const endAt = giveUp(stage, at, random.shuffled(others(stage, machine).map(other => other.firstRank)));
  finish(stage, at, endAt);
  const end = stage.end?.at ?? endAt;
  return gather(stage, `${seed}-one-of-1024`, end, {
    ...plain,
    kind: 'node',
    node: machine.name,
    family: 'one-of-1024',
    categories: gpuOffBus.categories,
  });
}

const printedVariants = 50;

/** A program prints what kernels and schedulers write, in fifty variants, and dies of an error of its own. */
export function* printedKernelLines(
  seed: string,
  { part, of }: { readonly part: number; readonly of: number } = { part: 0, of: 1 },
): Generator<Incident> {
  for (let index = part; index < printedVariants; index += of) {
    const shape = kernelShapes[index % kernelShapes.length] ?? '';
    const quoting = quotings[(index * 3 + Math.floor(index / kernelShapes.length)) % quotings.length];
    if (quoting !== undefined) yield printed(seed, index, shape, quoting);
  }
}

function printed(seed: string, index: number, shape: string, quoting: Quoting): Incident {
  const random = randomOf(`${seed}/printed/${index}`);
  const stage = stageOf(random, { nodes: random.int(1, 4) });
  const at = stage.job.start + random.between(10, 60) * minute;
  const rank = random.int(0, stage.job.world - 1);
  const { machine, gpu } = stage.place(rank);
  stage.needs.places = true;
  const text = shape.replaceAll('{pci}', gpu.pci).replaceAll('{node}', machine.name);
  stage.print(rank, at - second, quoting(text, machine.name, at));
  const felt = pythonError.play(stage, at);
  finish(stage, at, sufferFrom(stage, { ...felt, ranks: [rank] }));
  const end = stage.end?.at ?? at;
  return gather(stage, `${seed}-printed-${String(index).padStart(2, '0')}`, end, {
    ...plain,
    kind: 'job',
    node: null,
    family: 'printed-kernel-lines',
    categories: pythonError.categories,
  });
}

function finish(stage: Stage, at: number, endAt: number): void {
  tearDown(stage, {
    at: endAt,
    state: 'FAILED',
    exit: '1:0',
    taskWord: 'Aborted (core dumped)',
    gone: [],
    allCleanUp: true,
  });
  printStart(stage);
  printSteps(stage, at);
  makeKernelNoise(stage, at - 20 * minute, endAt + minute);
}
