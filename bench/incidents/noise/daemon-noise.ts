import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';

type Noise = (random: Random) => string;

const foreign = (random: Random): string => `other-${random.int(1, 90)}`;
const jobId = (random: Random): number => random.int(5000, 9999);

const said: readonly Noise[] = [
  random => `_job_complete: JobId=${jobId(random)} WEXITSTATUS ${random.pick([0, 0, 0, 1])}`,
  random => `_job_complete: JobId=${jobId(random)} done`,
  random => `sched: Allocate JobId=${jobId(random)} NodeList=${foreign(random)} #CPUs=224 Partition=train`,
  random =>
    `_slurm_rpc_submit_batch_job: JobId=${jobId(random)} InitPrio=${random.int(4000, 20_000)} usec=${random.int(300, 4000)}`,
  () => 'debug:  sched: Running job scheduler for full queue.',
  random => `debug:  validate_node_specs: node ${foreign(random)} registered with 0 jobs`,
  random => `error: Nodes ${foreign(random)} not responding`,
  random => `update_node: node ${foreign(random)} state set to IDLE`,
];

/** What the scheduler does for everybody else meanwhile. */
export function makeDaemonNoise(stage: Stage, from: number, to: number): void {
  const random = stage.random.fork('daemon-noise');
  for (let count = 0; count < 24; count += 1) stage.daemon(random.between(from, to), random.pick(said)(random));
}
