import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { isSameJob } from './same-job.ts';
import { settle } from './verdict.ts';

const name = 'other-jobs-word';

/**
 * The scheduler's log tells of all jobs of the cluster. What it says of another one is context, unless it shows a node
 * that was asked about: it failed, under whatever job. Jobs are told apart only where both are known by Slurm's number.
 */
export const otherJobsWord: Pass = {
  name,
  run(symptoms, context) {
    const { workloadId } = context.request;
    if (!/^\d+$/.test(workloadId)) return symptoms;
    return symptoms.map(symptom => {
      if (symptom.origin !== 'scheduler' || !isUndecided(symptom)) return symptom;
      if (context.scopeGiven && symptom.node !== null) return symptom;
      const jobs = jobsOf(symptom);
      const isOthers = jobs.length > 0 && jobs.every(job => job !== null && !isSameJob(job, workloadId));
      return isOthers ? settle(symptom, 'context', name, `the scheduler says it of job ${jobs[0]}`) : symptom;
    });
  },
};

/** The job that each line is about; null where it names none. */
function jobsOf({ observations }: Symptom): readonly (string | null)[] {
  return observations.map(({ captures }) => captures['job'] ?? captures['step'] ?? null);
}
