import type { Pass } from '../context.ts';
import { isCausal } from './causal.ts';
import { isOpen, settle } from './verdict.ts';

const name = 'outside-scope';

/** What other nodes show, and what ranks say that are not the job's, is context: nothing outside the job is named. */
export const outsideScope: Pass = {
  name,
  run(symptoms, context) {
    const seen = new Set(symptoms.map(({ node }) => node));
    const inside = new Set(context.jobNodes.filter(node => seen.has(node)));
    const ranks = new Set(context.request.scope.ranks);
    const whose = context.scopeGiven ? 'the nodes asked about' : "the job's nodes";
    return symptoms.map(symptom => {
      if (!isOpen(symptom)) return symptom;
      if (symptom.node !== null && context.jobNodes.length > 0 && !inside.has(symptom.node)) {
        return settle(symptom, 'context', name, `${symptom.node} is not among ${whose}`);
      }
      const foreign = symptom.rank !== null && ranks.size > 0 && !ranks.has(symptom.rank);
      if (foreign && symptom.origin === 'job' && isCausal(symptom)) {
        return settle(symptom, 'context', name, `rank ${symptom.rank} is not among the ranks asked about`);
      }
      return symptom;
    });
  },
};
