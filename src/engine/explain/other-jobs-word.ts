import type { Symptom } from '../../core/symptom.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { isSameJob } from './same-job.ts';
import { settle } from './verdict.ts';

const name = 'other-jobs-word';

/**
 * The scheduler's log tells of all jobs of the cluster. What it says of another one is context, unless it shows a node
 * that was asked about: it failed, under whatever job. Where it tells of several and nobody knows which of them is
 * meant, it speaks for no node but those that are known to be the job's, or that other logs are about. Jobs are told
 * apart only by Slurm's numbers.
 */
export const otherJobsWord: Pass = {
  name,
  run(symptoms, context) {
    if (context.jobId === null) return asOfAnyJob(symptoms, context);
    const own = context.jobId;
    return symptoms.map(symptom => {
      if (symptom.origin !== 'scheduler' || !isUndecided(symptom)) return symptom;
      if (context.scopeGiven && symptom.node !== null) return symptom;
      const jobs = jobsOf(symptom);
      const isOthers = jobs.length > 0 && jobs.every(job => job !== null && !isSameJob(job, own));
      return isOthers ? settle(symptom, 'context', name, `the scheduler says it of job ${jobs[0]}`) : symptom;
    });
  },
};

/** Only what stands in a log that tells of several jobs is in doubt. */
function asOfAnyJob(symptoms: readonly Symptom[], { nodesTold }: ReasoningContext): readonly Symptom[] {
  const said = symptoms.filter(({ origin }) => origin === 'scheduler');
  const jobs = Map.groupBy(
    said.flatMap(symptom => jobsOf(symptom).map(job => ({ stream: symptom.stream, number: numberOf(job) }))),
    ({ stream }) => stream,
  );
  const isOfSeveral = ({ stream }: Symptom) =>
    new Set(jobs.get(stream)?.flatMap(({ number }) => number ?? [])).size > 1;
  const elsewhere = new Set(symptoms.filter(({ origin }) => origin !== 'scheduler').map(({ node }) => node));
  return symptoms.map(symptom => {
    if (symptom.origin !== 'scheduler' || !isUndecided(symptom) || !isOfSeveral(symptom)) return symptom;
    if (symptom.node !== null && (nodesTold || elsewhere.has(symptom.node))) return symptom;
    return settle(symptom, 'context', name, 'the log tells of several jobs, and nobody knows which is meant');
  });
}

/** The job that each line is about; null where it names none. */
function jobsOf({ observations }: Symptom): readonly (string | null)[] {
  return observations.map(({ captures }) => captures['job'] ?? captures['step'] ?? null);
}

const numberOf = (job: string | null): string | null => job && (/^\d+/.exec(job)?.[0] ?? job);
