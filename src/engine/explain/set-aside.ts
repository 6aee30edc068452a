import type { Pass } from '../context.ts';
import { isCausal } from './causal.ts';
import { isOpen, settle } from './verdict.ts';

const name = 'set-aside';

const words = {
  progress: 'shows that training went on',
  boot: 'shows that the node started',
  maintenance: 'shows that the node was taken down on purpose',
  placement: 'shows where a rank ran',
  noise: 'known to mean nothing',
} as const;

/** What can be neither cause nor consequence has done its work in the passes before. */
export const setAside: Pass = {
  name,
  run(symptoms) {
    return symptoms.map(symptom => {
      const { ruleRole } = symptom;
      if (!isOpen(symptom) || isCausal(symptom) || !(ruleRole in words)) return symptom;
      return settle(symptom, 'context', name, words[ruleRole as keyof typeof words]);
    });
  },
};
