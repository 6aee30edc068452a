import type { AttributionRequest } from '../../contract/index.ts';
import type { Located, NodeIdentity } from '../../core/ports.ts';
import type { Symptom } from '../../core/symptom.ts';
import { isSameJob } from '../../engine/explain/same-job.ts';
import { expandHostList } from '../../lines/host-list.ts';
import { nodeDirectory } from '../../lines/node-names.ts';

const mostNodes = 100_000;

/**
 * Slurm's number of the job: what was asked about, else what a source knows by itself, else what the job's own text
 * says, else the only one that the scheduler's log tells of. Null where it stays open which of several is meant, and
 * where the request calls the job otherwise.
 */
export function ownJobId(
  { workloadId }: AttributionRequest,
  located: readonly Located[],
  symptoms: readonly Symptom[],
): string | null {
  if (workloadId !== '') return /^(\d+)(?:[_+]\d+)?$/.exec(workloadId)?.[1] ?? null;
  const known = new Set(located.map(({ job }) => job ?? null).filter(job => job !== null));
  const printed = jobsIn(symptoms.filter(({ origin }) => origin === 'job'));
  const told = jobsIn(symptoms.filter(({ origin }) => origin === 'scheduler'));
  const [id, ...others] = [known, printed, told].find(jobs => jobs.size > 0) ?? [];
  return id !== undefined && others.length === 0 ? id : null;
}

/** Numbers without steps, array tasks and components. */
function jobsIn(symptoms: readonly Symptom[]): ReadonlySet<string> {
  const jobs = symptoms.flatMap(({ observations }) =>
    observations.flatMap(({ captures }) => /^\d+/.exec(captures['job'] ?? captures['step'] ?? '')?.[0] ?? []),
  );
  return new Set(jobs);
}

/**
 * The nodes that the scheduler's log says it gave to the job; empty where it does not say, or where it calls machines
 * otherwise than all that tells of itself.
 */
export function nodesAllocated(jobId: string | null, symptoms: readonly Symptom[]): readonly NodeIdentity[] {
  if (jobId === null) return [];
  const lists = symptoms.flatMap(({ origin, ruleRole, observations }) =>
    origin === 'scheduler' && ruleRole === 'placement'
      ? observations.flatMap(({ captures: { job, nodes } }) =>
          job !== undefined && nodes !== undefined && isSameJob(job, jobId) ? [nodes] : [],
        )
      : [],
  );
  const names = new Set(
    lists.flatMap(list => {
      const expanded = expandHostList(list, mostNodes);
      return expanded.ok ? expanded.names : [];
    }),
  );
  const nodes = [...names].map((name): NodeIdentity => ({ name, aliases: [] }));
  const directory = nodeDirectory(nodes);
  const speakers = symptoms.filter(({ origin, node }) => origin !== 'scheduler' && node !== null);
  const isKnown = ({ node }: Symptom) => node !== null && directory.resolve(node).kind === 'one';
  return speakers.length === 0 || speakers.some(isKnown) ? nodes : [];
}
