import type { Symptom } from '../../core/symptom.ts';
import { expandHostList } from '../../lines/host-list.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { inhibitorsOf } from './inhibitors.ts';
import { certainlyAfter, earliestOf, wallInstant } from './order.ts';
import { isOpen, nameOf, settle } from './verdict.ts';

const name = 'maintenance';
const maxListed = 10_000;

/**
 * A reboot or maintenance that somebody planned excuses its node: the loss of the node unless that certainly came
 * first, and whatever else the node shows once the maintenance has certainly begun. A job that began afterwards had
 * the node back, and no program is excused by what became of its node. A machine that shut itself down in order for a
 * fault had planned nothing: that follows from the fault.
 */
export const maintenance: Pass = {
  name,
  run(symptoms, context) {
    const faults = symptoms.some(isPlan) ? forced(symptoms) : new Map<Symptom, Symptom>();
    const planned = byNode(
      symptoms.filter(symptom => isPlan(symptom) && !faults.has(symptom)),
      context.nodes,
    );
    if (planned.size + faults.size === 0) return symptoms;
    return symptoms.map(symptom => {
      const fault = faults.get(symptom);
      if (fault !== undefined)
        return settle(symptom, 'cascade', name, `follows from ${nameOf(fault)}`, fault.id);
      if (!isUndecided(symptom) || symptom.node === null || symptom.blames === 'job') return symptom;
      const excuse = planned.get(symptom.node)?.find(plan => excuses(plan, symptom, context));
      if (excuse === undefined) return symptom;
      return settle(symptom, 'context', name, `planned: ${nameOf(excuse)}`, excuse.id);
    });
  },
};

const isPlan = (symptom: Symptom): boolean => isOpen(symptom) && symptom.ruleRole === 'maintenance';

/** What looks planned, with the fault it follows from. */
function forced(symptoms: readonly Symptom[]): ReadonlyMap<Symptom, Symptom> {
  const inhibitors = inhibitorsOf(symptoms.filter(isUndecided));
  const found = new Map<Symptom, Symptom>();
  for (const plan of symptoms.filter(isPlan)) {
    const fault = earliestOf(inhibitors.of(plan));
    if (fault !== undefined) found.set(plan, fault);
  }
  return found;
}

function excuses(plan: Symptom, symptom: Symptom, context: ReasoningContext): boolean {
  if (!plan.lasts) {
    if (certainlyAfter(symptom.first, plan.last, context.settings.maintenanceReachMs)) return false;
    if (isOverBeforeJob(plan, symptom, context)) return false;
  }
  if (symptom.category === 'node_lost') return !certainlyAfter(plan.first, symptom.first);
  return certainlyAfter(symptom.first, plan.first);
}

function isOverBeforeJob(plan: Symptom, symptom: Symptom, { jobStart }: ReasoningContext): boolean {
  if (jobStart === null) return false;
  const start = wallInstant(jobStart);
  return certainlyAfter(start, plan.last) && certainlyAfter(symptom.first, start);
}

/** Where each was planned: on its own node, or on those a scheduler's line lists. */
function byNode(
  symptoms: readonly Symptom[],
  directory: NodeDirectory,
): ReadonlyMap<string, readonly Symptom[]> {
  const planned = new Map<string, Symptom[]>();
  for (const symptom of symptoms) {
    const nodes = symptom.node === null ? nodesListed(symptom, directory) : [symptom.node];
    for (const node of new Set(nodes)) planned.set(node, [...(planned.get(node) ?? []), symptom]);
  }
  return planned;
}

function nodesListed(symptom: Symptom, directory: NodeDirectory): readonly string[] {
  if (symptom.origin !== 'scheduler') return [];
  return symptom.observations
    .flatMap(({ captures }) => [captures['nodes'], captures['peer']])
    .flatMap(list => {
      const expanded = list === undefined ? null : expandHostList(list, maxListed);
      return expanded?.ok === true ? expanded.names : [];
    })
    .flatMap(name => {
      const match = directory.resolve(name);
      return match.kind === 'one' ? [match.node] : [];
    });
}
