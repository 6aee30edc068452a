import type { FakeJob, FakeNode } from './slurmrestd.ts';

/** A job on four nodes that ended with an error of its own after an hour; `end` in seconds since the epoch. */
export const failedJob = (id: number, end: number): FakeJob => ({
  id,
  state: 'FAILED',
  reason: 'NonZeroExitCode',
  nodes: 'node-[01-04]',
  code: 1,
  signal: 0,
  start: end - 3600,
  end,
  steps: [],
});

/** Its nodes: up for days, and well as far as Slurm knows. */
export const wellNodes = (end: number): readonly FakeNode[] =>
  [1, 2, 3, 4].map(number => ({
    name: `node-0${number}`,
    address: `10.1.0.${number}`,
    state: ['IDLE'],
    reason: '',
    reasonAt: 0,
    boot: end - 900_000,
  }));
