import type { Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { isSameJob } from './same-job.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'resumed';

/**
 * A state that the scheduler found is over once somebody gave the node back: it is context where that was before the
 * job began, or where nobody knows when it began, before it failed.
 */
export const resumed: Pass = {
  name,
  run(symptoms, context) {
    const returns = symptoms.filter(({ symptom, node }) => symptom === 'node-resumed' && node !== null);
    if (returns.length === 0) return symptoms;
    const until = beginningOf(symptoms, context);
    return symptoms.map(symptom => {
      if (symptom.origin !== 'scheduler' || !symptom.lasts || !isUndecided(symptom)) return symptom;
      const back = returns.find(
        ({ node, last }) =>
          node === symptom.node && certainlyAfter(last, symptom.last) && certainlyAfter(until, last),
      );
      return back === undefined
        ? symptom
        : settle(symptom, 'context', name, `over since: ${nameOf(back)}`, back.id);
    });
  },
};

/** By the clock of the scheduler's own log, where that tells when the job got its nodes. */
function beginningOf(symptoms: readonly Symptom[], { jobId, jobStart, moment }: ReasoningContext): Instant {
  const given = symptoms
    .filter(({ origin, ruleRole }) => origin === 'scheduler' && ruleRole === 'placement')
    .flatMap(({ observations }) => observations)
    .find(({ captures: { job, nodes } }) => {
      return job !== undefined && nodes !== undefined && jobId !== null && isSameJob(job, jobId);
    });
  return given?.instant ?? wallInstant(jobStart ?? moment);
}
