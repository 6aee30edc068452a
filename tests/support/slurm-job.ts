import type { Source } from '../../src/core/ports.ts';
import { parseSlurmSettings } from '../../src/evidence/slurm/settings.ts';
import { createSlurmSource } from '../../src/evidence/slurm/slurm-source.ts';
import type { FakeSlurm } from './fakes/slurmrestd.ts';
import { machineClock } from './log-lines.ts';
import { silentLog } from './silent-log.ts';

/** Job 42 on three nodes, of which node-02 is lost at `end`, in seconds. */
export function failingJob(end: number): FakeSlurm {
  const node = (number: number) => ({
    name: `node-0${number}`,
    address: `10.1.0.${number}`,
    state: number === 2 ? ['DOWN', 'NOT_RESPONDING'] : ['IDLE'],
    reason: number === 2 ? 'Not responding' : '',
    reasonAt: number === 2 ? end : 0,
    boot: end - 86_400,
  });
  return {
    versions: [41],
    jobs: [
      {
        id: 42,
        state: 'NODE_FAIL',
        reason: 'NodeDown',
        nodes: 'node-[01-03]',
        failedNode: 'node-02',
        code: 0,
        signal: 15,
        start: end - 3600,
        end,
        steps: [],
      },
    ],
    nodes: [1, 2, 3].map(node),
    maintenance: [],
  };
}

export function slurmSource(url: string, settings: Readonly<Record<string, unknown>> = {}): Source {
  const access = { name: 'slurm', kind: 'slurm', url, token: 'secret', user: 'user1' };
  const parsed = parseSlurmSettings({ ...access, ...settings });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createSlurmSource(parsed.settings, { clock: machineClock, log: silentLog, random: () => 0.5 });
}
