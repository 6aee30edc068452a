import type { Symptom } from '../../core/symptom.ts';

const stops: ReadonlySet<string> = new Set(['kernel-panic', 'hard-lockup']);

/** Whether a node takes no further step after it: steps told soon after that are told by another clock. */
export function stopsNode({ symptom }: Symptom): boolean {
  return stops.has(symptom);
}
