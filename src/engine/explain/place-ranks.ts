import type { Device, Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { loneScope } from './lone-scope.ts';
import { numberIn, type Placed, type Placements, placementsOf } from './placements.ts';
import { isOpen } from './verdict.ts';

/**
 * Gives job text that names only a rank the node that rank ran on, where placement proves it: the symptom gets the
 * node, its observations stay without one, which is how a reader of either can tell. A line whose own host and the
 * placement of its rank disagree proves nothing and loses its node.
 */
export const placeRanks: Pass = {
  name: 'place-ranks',
  run(symptoms, context) {
    const placements = placementsOf(symptoms);
    const only = loneScope(symptoms, context);
    return symptoms.map(symptom => {
      if (symptom.origin !== 'job' || symptom.ruleRole === 'placement' || !isOpen(symptom)) return symptom;
      return place(symptom, placements, only);
    });
  },
};

/** True where the node was not in the lines themselves but came from the rank they name. */
export function isPlacedByRank(symptom: Symptom): boolean {
  return symptom.node !== null && symptom.observations.every(observation => observation.node === null);
}

function place(symptom: Symptom, placements: Placements, only: string | null): Symptom {
  const placed = placedBy(symptom, placements);
  if (placed === 'contested') return { ...symptom, node: null };
  if (placed === null) return symptom.node === null ? { ...symptom, node: only } : symptom;
  if (symptom.node !== null && symptom.node !== placed.node) return { ...symptom, node: null };
  return { ...symptom, node: placed.node, device: symptom.device ?? deviceAt(placed.gpu) };
}

/** Where the rank ran; else where the task ran whose output the line is, which the launcher's label says. */
export function placedBy(symptom: Symptom, placements: Placements): Placed {
  const byRank = symptom.rank === null ? null : placements.ofRank(symptom.rank);
  if (byRank !== null) return byRank;
  const [label, ...others] = new Set(symptom.observations.map(({ captures }) => captures['task']));
  const task = others.length > 0 ? null : numberIn(label);
  return task === null ? null : placements.ofTask(task);
}

function deviceAt(index: number | null): Device | null {
  return index === null ? null : { pci: null, uuid: null, index, name: null };
}
