import type { Stage } from '../stage.ts';
import type { Felt } from '../victims.ts';

/** A fault of the program, its input or its limits: it would fail on any machine. */
export interface ApplicationFault {
  readonly family: string;
  readonly categories: readonly string[];
  play(stage: Stage, at: number): Felt;
  /** What the scheduler calls the end of the job. */
  readonly state?: string;
  readonly exit?: string;
  /** It shows before the first step. */
  readonly atStart?: boolean;
}

/** Ranks that show it: one, those of one node, or all of a small job. */
export function someRanks(stage: Stage): readonly number[] {
  const { random, job } = stage;
  const all = allRanks(stage);
  const draw = random.next();
  if (draw < 0.4) return [random.int(0, job.world - 1)];
  if (draw < 0.7) return random.some(all, random.int(2, 8));
  return all;
}

/** All ranks, or the first 64 of a large job. */
export function allRanks({ job }: Stage): readonly number[] {
  return Array.from({ length: Math.min(job.world, 64) }, (_, rank) => rank);
}

/** A Python traceback that ends in `error`. */
export function traceback(stage: Stage, error: string): string {
  const { random } = stage;
  const place = random.pick([
    ['/workspace/train.py', 'main'],
    ['/workspace/src/data/loader.py', '__getitem__'],
    ['/workspace/model/attention.py', 'forward'],
    ['/opt/venv/lib/python3.10/site-packages/torch/nn/modules/module.py', '_call_impl'],
  ] as const);
  return [
    'Traceback (most recent call last):',
    `  File "/workspace/train.py", line ${random.int(20, 900)}, in <module>`,
    '    main()',
    `  File "${place[0]}", line ${random.int(20, 900)}, in ${place[1]}`,
    `    ${random.pick(['out = self.step(batch)', 'return forward_call(*args, **kwargs)', 'loss = model(tokens)'])}`,
    error,
  ].join('\n');
}
