import type { Symptom } from '../../core/symptom.ts';
import { byWeight } from '../explain/order.ts';
import { settle } from '../explain/verdict.ts';
import { accusing, changed, type Step } from './judgement.ts';

const name = 'breadth';

/** Many nodes never fail at once by themselves: beyond the limit the job is told where all agree, else nobody is. */
export const breadth: Step = {
  name,
  run(judgement, context) {
    const accused = accusing(judgement.symptoms).toSorted(byWeight);
    const nodes = new Set(accused.map(symptom => symptom.node)).size;
    if (judgement.job !== null || nodes <= context.settings.maxNamedNodes) return judgement;
    const said = `seen on ${nodes} nodes at once: one cause that they share`;
    const [first] = accused;
    if (first !== undefined && accused.every(symptom => symptom.category === first.category)) {
      return { ...judgement, job: { category: first.category, symptoms: accused, said } };
    }
    const spare = (symptom: Symptom): Symptom => settle(symptom, 'unknown', name, said);
    return { ...judgement, symptoms: changed(judgement.symptoms, accused, spare) };
  },
};
