import type { Observation, Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { isSameJob } from './same-job.ts';
import { settle } from './verdict.ts';

const name = 'others-memory';

/**
 * A limit on memory is the job's own only where the group is that reached it: the kernel also ends processes of
 * services, and of other jobs on the node, at theirs. It names the group in the line before the kill, with its process.
 */
export const othersMemory: Pass = {
  name,
  run(symptoms, { jobId }) {
    const groups = groupsOf(symptoms);
    if (groups.size === 0) return symptoms;
    return symptoms.map(symptom => {
      if (symptom.symptom !== 'host-out-of-memory' || symptom.origin !== 'kernel') return symptom;
      if (!isUndecided(symptom) || symptom.count > symptom.observations.length) return symptom;
      const owners = symptom.observations.map(observation => {
        const group = groups.get(killOf(symptom, observation));
        return group === undefined ? null : ownerOf(group, jobId);
      });
      const [owner] = owners;
      if (owner == null || owners.includes(null)) return symptom;
      return settle(symptom, 'context', name, `it was the limit of ${owner}`);
    });
  },
};

/** By node and process: the group whose limit was reached. */
function groupsOf(symptoms: readonly Symptom[]): ReadonlyMap<string, string> {
  const details = symptoms.filter(
    ({ symptom, origin }) => symptom === 'oom-kill-detail' && origin === 'kernel',
  );
  return new Map(
    details.flatMap(symptom =>
      symptom.observations.flatMap(observation => {
        const { path } = observation.captures;
        return path === undefined ? [] : [[killOf(symptom, observation), path] as const];
      }),
    ),
  );
}

const killOf = ({ node, stream }: Symptom, { captures }: Observation): string =>
  JSON.stringify([node ?? stream, captures['pid'] ?? null]);

/** Whose a group is, where it is certainly not the job's; a service that holds containers is a group above theirs. */
function ownerOf(group: string, jobId: string | null): string | null {
  const job = /\/job_(\d+)(?:\/|$)/.exec(group)?.[1];
  if (job !== undefined) return jobId === null || isSameJob(job, jobId) ? null : `job ${job}`;
  const service = /^\/system\.slice\/(?:[^/]+\.slice\/)*([^/]+\.service)$/.exec(group)?.[1];
  return service === undefined ? null : `the service ${service}`;
}
