import type { Inhibition, Symptom } from '../../core/symptom.ts';
import { sameDevice } from './devices.ts';
import { isOneFault } from './one-fault.ts';
import { byTime, certainlyAfter } from './order.ts';
import { isStrong, originRank, strengthRank } from './verdict.ts';

/** A symptom that explains others, by one of its inhibitions. */
interface Inhibitor {
  readonly symptom: Symptom;
  readonly inhibition: Inhibition;
}

/** Finds what may explain a symptom, without comparing everything with everything. */
export interface Inhibitors {
  of(symptom: Symptom): readonly Symptom[];
}

/** How many causes are looked at for one symptom, scope and name: those nearest before it. */
const maxLookedAt = 64;
const maxUnsure = 8;

/** By what a fault is found to have had no part in the failure. */
const excusing: ReadonlySet<string> = new Set(['outside-window', 'recovered', 'survived']);

/** A fault that was over, or that training went on after, does not explain what came about later. */
function isExcused({ role, ruleRole, reason }: Symptom): boolean {
  return role === 'context' && ruleRole === 'root' && excusing.has(reason?.pass ?? '');
}

/** Whoever names nobody may still explain, whatever the status of its rule; teardown explains nothing. */
export function inhibitorsOf(symptoms: readonly Symptom[]): Inhibitors {
  const groups = new Map<string, Inhibitor[]>();
  for (const symptom of symptoms.toSorted(byTime)) {
    if (symptom.role === 'teardown' || isExcused(symptom)) continue;
    for (const inhibition of symptom.inhibits) {
      for (const name of inhibition.symptoms) {
        const key = keyOf(name, isLocal(inhibition) ? symptom.node : null);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [{ symptom, inhibition }]);
        else group.push({ symptom, inhibition });
      }
    }
  }
  return {
    of(symptom) {
      const names = symptom.code === null ? [symptom.symptom] : [symptom.symptom, symptom.code];
      const keys = names.flatMap(name => [keyOf(name, null), ...local(name, symptom.node)]);
      const found = keys.flatMap(key => nearestBefore(groups.get(key) ?? [], symptom));
      const causes = found.filter(inhibitor => reaches(inhibitor, symptom)).map(inhibitor => inhibitor.symptom);
      return [...new Set(causes)];
    },
  };
}

/** A domain (NVLink, a switch) is taken for the whole job: which nodes share one is not known here. */
const isLocal = ({ scope }: Inhibition): boolean => scope === 'device' || scope === 'node';

const keyOf = (name: string, node: string | null): string => JSON.stringify([name, node]);
const local = (name: string, node: string | null): string[] => (node === null ? [] : [keyOf(name, node)]);

function nearestBefore(group: readonly Inhibitor[], symptom: Symptom): readonly Inhibitor[] {
  if (group.length <= maxLookedAt) return group;
  const nanos = symptom.first.nanos;
  if (nanos === null) return [...group.slice(0, maxLookedAt), ...group.slice(-maxUnsure)];
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = group[middle]?.symptom.first;
    if (at?.nanos != null && at.nanos <= nanos) low = middle + 1;
    else high = middle;
  }
  // Some stamped later may still have come first, and the undated ones, which stand last, count as in reach.
  return [
    ...group.slice(Math.max(0, low - maxLookedAt), low),
    ...group.slice(low, low + maxUnsure),
    ...group.slice(Math.max(low + maxUnsure, group.length - maxUnsure)),
  ];
}

function reaches({ symptom: cause, inhibition }: Inhibitor, symptom: Symptom): boolean {
  if (cause.id === symptom.id) return false;
  if (certainlyAfter(cause.first, symptom.first) && !isOneFault(cause, symptom)) return false;
  if (certainlyAfter(symptom.first, cause.last, inhibition.withinSeconds * 1000)) return false;
  if (isLocal(inhibition) && cause.node === null) return false;
  if (inhibition.scope === 'device' && sameDevice(cause.device, symptom.device) === 'no') return false;
  return mayExplain(cause, symptom);
}

/**
 * Nothing explains away what a more trusted source convicts (exporters keep old codes, jobs print anything), and across
 * nodes a weaker symptom explains a stronger one only where it certainly came first.
 */
function mayExplain(cause: Symptom, symptom: Symptom): boolean {
  if (originRank(symptom) < originRank(cause) && isStrong(symptom)) return false;
  const weaker = strengthRank(cause) > strengthRank(symptom);
  const elsewhere = cause.node === null || cause.node !== symptom.node;
  return !(weaker && elsewhere) || certainlyAfter(symptom.first, cause.first);
}
