import type { Observation, Symptom } from '../../core/symptom.ts';
import { expandHostList } from '../../lines/host-list.ts';

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
  /** Ranks, and tasks, that ran on a node, as far as lines tell; ascending. */
  ranksOn(node: string): readonly number[];
  tasksOn(node: string): readonly number[];
  /** How many ranks the job has, where a communicator of all of them was seen. */
  readonly worldSize: number | null;
}

/**
 * What the placement symptoms prove: a rank ran on a node only where every line that speaks of it says the same.
 * Tasks are kept apart from ranks, since a task may hold several.
 */
export function placementsOf(symptoms: readonly Symptom[]): Placements {
  const ranks = new Map<number, Placed>();
  const tasks = new Map<number, Placed>();
  const worldSize = worldSizeOf(symptoms);
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== 'placement') continue;
    for (const observation of symptom.observations) {
      const node = observation.node ?? symptom.node;
      if (node === null) continue;
      const place = { node, gpu: gpuOf(observation), shownBy: symptom.id };
      const rank = rankIn(observation, worldSize);
      if (rank !== null) note(ranks, rank, place);
      for (const task of tasksIn(observation)) note(tasks, task, place);
    }
  }
  return {
    ofRank: rank => ranks.get(rank) ?? null,
    ofTask: task => tasks.get(task) ?? null,
    ranksOn: node => placedOn(ranks, node),
    tasksOn: node => placedOn(tasks, node),
    worldSize,
  };
}

/** A communicator counts its own ranks from 0: they are the job's only in the one that holds all of them. */
function rankIn(observation: Observation, worldSize: number | null): number | null {
  const size = numberIn(observation.captures['world_size']);
  if (size !== null && size !== worldSize) return null;
  return observation.rank ?? numberIn(observation.captures['rank']);
}

/**
 * The size of the largest communicator seen, where it can hold the whole job: no rank is known by a higher number, and
 * no more processes took part in communicators.
 */
function worldSizeOf(symptoms: readonly Symptom[]): number | null {
  let largest = 0;
  let ranks = 0;
  const processes = new Set<string>();
  for (const { observations } of symptoms) {
    for (const { node, rank, captures } of observations) {
      const size = numberIn(captures['world_size']);
      if (size !== null) {
        largest = Math.max(largest, size);
        processes.add(`${captures['host'] ?? node}\u0000${captures['pid']}`);
      } else if (rank !== null) ranks = Math.max(ranks, rank + 1);
    }
  }
  return largest === 0 || ranks > largest || processes.size > largest ? null : largest;
}

/** More tasks a line would be a mistake of the reader. */
const maxTasks = 4_096;

/** `task` is the first of the list in `ranks`, where a launcher speaks of several. */
function tasksIn({ captures }: Observation): readonly number[] {
  const first = numberIn(captures['task']);
  if (first === null) return [];
  const list = captures['ranks'];
  const expanded = list === undefined ? null : expandHostList(`[${list}]`, maxTasks);
  return expanded?.ok === true ? expanded.names.map(Number) : [first];
}

function placedOn(places: ReadonlyMap<number, Placed>, node: string): readonly number[] {
  return [...places]
    .filter(([, placed]) => placed !== null && placed !== 'contested' && placed.node === node)
    .map(([number]) => number)
    .sort((a, b) => a - b);
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
