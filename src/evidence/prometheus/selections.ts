import type { Matcher } from '../log-store/matchers.ts';
import type { FamilyNodes, Selection } from './family.ts';
import { anyOf, noneOf } from './queries.ts';

/**
 * The series of some nodes among all of a family, in as few queries as fit: named where they are the smaller part of
 * the cluster, else all but the others, so that a list is never longer than half the cluster.
 */
export function selectionsOf(
  { label, values }: FamilyNodes,
  raws: readonly string[],
  fixed: readonly Matcher[],
  queryBytes: number,
): readonly Selection[] {
  if (label === null || raws.length === 0) return [];
  const chosen = new Set(raws);
  const others = values.filter(value => !chosen.has(value));
  if (others.length === 0) return [{ raws, matchers: fixed }];
  if (others.length < raws.length && bytesOf(others) <= queryBytes) {
    return [{ raws, matchers: [...fixed, noneOf(label, others)] }];
  }
  return groupsWithin(raws, queryBytes).map(group => naming(label, group, fixed));
}

/** Exactly these nodes. */
export function naming(label: string, raws: readonly string[], fixed: readonly Matcher[]): Selection {
  return { raws, matchers: [...fixed, anyOf(label, raws)] };
}

/** Two halves that name their nodes, for a server that refuses the whole; null where there is only one. */
export function halvesOf(
  { raws }: Selection,
  label: string,
  fixed: readonly Matcher[],
): readonly Selection[] | null {
  if (raws.length < 2) return null;
  const middle = Math.ceil(raws.length / 2);
  return [naming(label, raws.slice(0, middle), fixed), naming(label, raws.slice(middle), fixed)];
}

function groupsWithin(names: readonly string[], bytes: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let room = 0;
  for (const name of names) {
    const cost = bytesOf([name]);
    const group = groups.at(-1);
    if (group === undefined || cost > room) {
      groups.push([name]);
      room = bytes - cost;
    } else {
      group.push(name);
      room -= cost;
    }
  }
  return groups;
}

/** With the bar between two names, and the dots of a pattern escaped. */
function bytesOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length + name.split('.').length, 0);
}
