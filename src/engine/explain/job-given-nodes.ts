import type { Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import type { ReasoningContext } from '../context.ts';
import { isSameJob } from './same-job.ts';

/** When the scheduler's own log says that it gave the job its nodes, by the clock of that log; null where it does not. */
export function whenGivenNodes(
  symptoms: readonly Symptom[],
  { jobId }: Pick<ReasoningContext, 'jobId'>,
): Instant | null {
  if (jobId === null) return null;
  const given = symptoms
    .filter(({ origin, ruleRole }) => origin === 'scheduler' && ruleRole === 'placement')
    .flatMap(({ observations }) => observations)
    .find(({ captures: { job, nodes } }) => job !== undefined && nodes !== undefined && isSameJob(job, jobId));
  return given?.instant ?? null;
}
