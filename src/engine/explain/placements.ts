import type { Observation, Symptom } from '../../core/symptom.ts';

/** Where a rank ran, and which symptom shows it. */
export interface Place {
  readonly node: string;
  /** Local GPU index, where the lines agree on one. */
  readonly gpu: number | null;
  readonly shownBy: string;
}

/** `contested` where lines put one rank on two nodes: then nothing is proven. */
export type Placed = Place | 'contested' | null;

export interface Placements {
  ofRank(rank: number): Placed;
  ofTask(task: number): Placed;
}

/**
 * What the placement symptoms prove: a rank ran on a node only where every line that speaks of it says the same.
 * Tasks are kept apart from ranks, since a task may hold several.
 */
export function placementsOf(symptoms: readonly Symptom[]): Placements {
  const ranks = new Map<number, Placed>();
  const tasks = new Map<number, Placed>();
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== 'placement') continue;
    for (const observation of symptom.observations) {
      const node = observation.node ?? symptom.node;
      if (node === null) continue;
      const place = { node, gpu: gpuOf(observation), shownBy: symptom.id };
      const rank = observation.rank ?? numberIn(observation.captures['rank']);
      if (rank !== null) note(ranks, rank, place);
      const task = numberIn(observation.captures['task']);
      if (task !== null) note(tasks, task, place);
    }
  }
  return {
    ofRank: rank => ranks.get(rank) ?? null,
    ofTask: task => tasks.get(task) ?? null,
  };
}

function note(places: Map<number, Placed>, number: number, place: Place): void {
  const known = places.get(number) ?? null;
  if (known === null) places.set(number, place);
  else if (known !== 'contested')
    places.set(number, known.node === place.node ? agree(known, place) : 'contested');
}

function agree(a: Place, b: Place): Place {
  if (a.gpu === null) return { ...a, gpu: b.gpu };
  return b.gpu === null || a.gpu === b.gpu ? a : { ...a, gpu: null };
}

function gpuOf(observation: Observation): number | null {
  return numberIn(observation.captures['gpu']) ?? observation.device?.index ?? null;
}

/** A captured whole number, or null. */
export function numberIn(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}
