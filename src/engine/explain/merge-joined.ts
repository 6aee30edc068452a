import type { Observation, Reference, Symptom } from '../../core/symptom.ts';
import { before } from '../../core/time.ts';
import type { Pass } from '../context.ts';

const maxObservations = 5;

/** Folds what turned out to be one symptom once two spellings of a node were joined, or two reads were put together. */
export const mergeJoined: Pass = {
  name: 'merge-joined',
  run(symptoms) {
    const merged = new Map<string, Symptom>();
    for (const symptom of symptoms) {
      const key = keyOf(symptom);
      const other = merged.get(key);
      merged.set(key, other === undefined ? symptom : merge(other, symptom));
    }
    return [...merged.values()];
  },
};

function keyOf(symptom: Symptom): string {
  const { id, rule, origin, title, node, rank, device, code, reason, ruleRole } = symptom;
  // Placements of tasks differ in what they captured, which only their id knows.
  if (node === null || reason !== null || ruleRole === 'placement') return id;
  const { pci, uuid, index, name } = device ?? { pci: null, uuid: null, index: null, name: null };
  return JSON.stringify([rule, origin, title, node, rank, pci, uuid, index, name, code]);
}

function merge(a: Symptom, b: Symptom): Symptom {
  const observations = new Map<string, Observation>();
  for (const observation of [...a.observations, ...b.observations].sort(inOrder)) {
    const key = placeOf(observation.reference);
    if (!observations.has(key)) observations.set(key, observation);
  }
  return {
    ...a,
    first: before(b.first, a.first) === 'yes' ? b.first : a.first,
    last: before(a.last, b.last) === 'yes' ? b.last : a.last,
    // One id read twice is the same lines; two ids are different lines.
    count: a.id === b.id ? Math.max(a.count, b.count) : a.count + b.count,
    countIsAtLeast: a.countIsAtLeast || b.countIsAtLeast,
    observations: [...observations.values()].slice(0, maxObservations),
  };
}

function inOrder(a: Observation, b: Observation): number {
  if (before(a.instant, b.instant) === 'yes') return -1;
  return before(b.instant, a.instant) === 'yes' ? 1 : 0;
}

function placeOf(reference: Reference): string {
  return reference.kind === 'file'
    ? `${reference.path}\u0000${reference.line}`
    : `${reference.query}\u0000${reference.stamp}`;
}
