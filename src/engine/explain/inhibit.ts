import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { inhibitorsOf } from './inhibitors.ts';
import { earliestOf } from './order.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'inhibit';

/**
 * The cascade graph: what a symptom's rule says it explains becomes cascade, where it lies in scope and in reach and
 * did not certainly come first. Where symptoms explain each other in a circle, the one that came first (else the
 * strongest) stays unexplained.
 */
export const inhibit: Pass = {
  name,
  run(symptoms) {
    const causes = causesOf(symptoms);
    if (causes.size === 0) return symptoms;
    for (const circle of circlesIn(causes)) {
      const first = earliestOf(circle);
      if (first !== undefined) causes.delete(first);
    }
    return symptoms.map(symptom => {
      const cause = causes.get(symptom);
      if (cause === undefined) return symptom;
      return settle(symptom, 'cascade', name, `follows from ${nameOf(cause)}`, cause.id);
    });
  },
};

/** At most one cause each: the earliest of those that reach it. */
function causesOf(symptoms: readonly Symptom[]): Map<Symptom, Symptom> {
  const inhibitors = inhibitorsOf(symptoms);
  const causes = new Map<Symptom, Symptom>();
  for (const symptom of symptoms) {
    if (!isUndecided(symptom)) continue;
    const cause = earliestOf(inhibitors.of(symptom));
    if (cause !== undefined) causes.set(symptom, cause);
  }
  return causes;
}

/** Circles of a graph in which each has one cause at the most. */
function circlesIn(causes: ReadonlyMap<Symptom, Symptom>): readonly (readonly Symptom[])[] {
  const done = new Set<Symptom>();
  const circles: Symptom[][] = [];
  for (const start of causes.keys()) {
    const trail = new Map<Symptom, number>();
    let at: Symptom | undefined = start;
    while (at !== undefined && !done.has(at) && !trail.has(at)) {
      trail.set(at, trail.size);
      at = causes.get(at);
    }
    const from: number | undefined = at === undefined ? undefined : trail.get(at);
    if (from !== undefined) circles.push([...trail.keys()].slice(from));
    for (const seen of trail.keys()) done.add(seen);
  }
  return circles;
}
