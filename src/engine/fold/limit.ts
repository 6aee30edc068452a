import { createHash } from 'node:crypto';
import type { RuleRole, Symptom } from '../../core/symptom.ts';
import { compareInstants, compareObservations } from './order.ts';

/** So many symptoms enter explain at the most. */
const usualLimit = 20_000;
/** What may lose its place when there is too much, in this order: none of it ever names a node. */
const mergeable: readonly RuleRole[] = ['noise', 'victim', 'confirmation', 'cascade', 'progress'];
const keptObservations = 5;

/** Merges symptoms by rule, victims first, until no more than `limit` are left. */
export function limitSymptoms(symptoms: readonly Symptom[], limit = usualLimit): readonly Symptom[] {
  let left = symptoms;
  for (const role of mergeable) {
    if (left.length <= limit) break;
    left = mergeRole(left, role);
  }
  return left;
}

function mergeRole(symptoms: readonly Symptom[], role: RuleRole): readonly Symptom[] {
  const groups = new Map<string, Symptom[]>();
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== role) continue;
    const key = JSON.stringify([symptom.rule, symptom.origin, 'merged', symptom.code]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [symptom]);
    else group.push(symptom);
  }
  const merged = [...groups].flatMap(([key, group]) => mergeGroup(key, group));
  return [...symptoms.filter(symptom => symptom.ruleRole !== role), ...merged];
}

function mergeGroup(key: string, group: readonly Symptom[]): readonly Symptom[] {
  const [one] = group;
  if (one === undefined || group.length === 1) return group;
  const instants = group.map(({ first }) => first).sort(compareInstants);
  const ends = group.map(({ last }) => last).sort(compareInstants);
  return [
    {
      ...one,
      id: createHash('sha256').update(key).digest('hex').slice(0, 16),
      node: null,
      rank: null,
      device: null,
      first: instants[0] ?? one.first,
      last: ends.findLast(({ nanos }) => nanos !== null) ?? one.last,
      count: group.reduce((sum, { count }) => sum + count, 0),
      countIsAtLeast: group.some(({ countIsAtLeast }) => countIsAtLeast),
      observations: lastOfEachRank(group),
    },
  ];
}

/** The latest of each rank, since its numbers tell who lagged behind, and the earliest few of those without rank. */
function lastOfEachRank(group: readonly Symptom[]): Symptom['observations'] {
  const all = group.flatMap(({ observations }) => observations).sort(compareObservations);
  const lasts = new Map(all.flatMap(each => (each.rank === null ? [] : [[each.rank, each] as const])));
  const others = all.filter(({ rank }) => rank === null).slice(0, keptObservations);
  return [...others, ...lasts.values()].sort(compareObservations);
}
