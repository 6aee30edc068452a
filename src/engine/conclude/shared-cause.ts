import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { byWeight, certainlyAfter, earliestOf, skewMs } from '../explain/order.ts';
import { nameOf, settle, strengthRank } from '../explain/verdict.ts';
import { readNodeLocal } from '../node-coverage.ts';
import { isCounted } from './counted.ts';
import { isSetUp, isTrusted } from './hardware.ts';
import { accusing, changed, type Judgement, type Step } from './judgement.ts';
import { isLoss, lostWith } from './lost-together.ts';

const name = 'shared-cause';

/**
 * One symptom on many nodes is one cause that they share (fabric, storage, image, the program), and names none of
 * them. Unless one node has a strong symptom of another kind that did not come later: then that node explains the rest.
 */
export const sharedCause: Step = {
  name,
  run(judgement, context) {
    const blaming = judgement.symptoms.filter(({ blames, node }) => blames === 'node' && node !== null);
    const seen = Map.groupBy(blaming, symptom => symptom.symptom);
    const accused = Map.groupBy(accusing(judgement.symptoms), symptom => symptom.symptom);
    const groups = [...accused].flatMap(([symptom, group]): Group[] => {
      const first = earliestOf(group);
      if (first === undefined) return [];
      const counted = (others: readonly Symptom[]): readonly Symptom[] =>
        others.filter(other => isCounted(other, group));
      const same = counted(seen.get(symptom) ?? []);
      if (isShared(same, context)) return [{ accused: group, first, nodes: nodesOf(same) }];
      const lost = group.every(isLoss) ? lostWith(group, judgement.symptoms, context) : 0;
      if (lost >= context.settings.sharedCauseNodes) return [{ accused: group, first, nodes: lost }];
      const alike = portFailures.has(symptom)
        ? counted(blaming.filter(other => portFailures.has(other.symptom)))
        : same;
      return alike.every(isOfNetwork) && areOfOneMoment(alike)
        ? [{ accused: group, first, nodes: nodesOf(alike) }]
        : [];
    });
    const inOrder = groups.toSorted((a, b) => (earliestOf([a.first, b.first]) === a.first ? -1 : 1));
    return inOrder.reduce((known, group) => settleGroup(known, group, context), judgement);
  },
};

/** Those accused of one symptom, the one that began first, and on how many nodes it was seen. */
interface Group {
  readonly accused: readonly Symptom[];
  readonly first: Symptom;
  readonly nodes: number;
}

const nodesOf = (symptoms: readonly Symptom[]): number => new Set(symptoms.map(({ node }) => node)).size;

function isShared(group: readonly Symptom[], context: ReasoningContext): boolean {
  const nodes = nodesOf(group);
  const strongest = Math.min(...group.map(strengthRank));
  if (strongest > 1) return isMany(nodes, context);
  // S1 convicts each node it is seen on, but a job that lost every node at once lost something they share.
  const everyNode = nodes === context.jobNodes.length;
  return everyNode && nodes >= context.settings.sharedCauseNodes && !hasLeader(group);
}

/** So many nodes, or both of two, that what they show alike is of the job. */
export function isMany(nodes: number, { settings, jobNodes }: ReasoningContext): boolean {
  return nodes >= settings.sharedCauseNodes || (nodes === 2 && jobNodes.length === 2);
}

/** One fault of a port, told by the driver or by a rank. */
const portFailures: ReadonlySet<string> = new Set(['link-down', 'ethernet-link-down', 'link-port-error']);

const isOfNetwork = ({ category, lasts, strength }: Symptom): boolean =>
  category === 'network_fabric' && !lasts && strength !== 'S1';

/** Ports of two nodes that fail at one moment hang on one switch or one split cable: two faults of that kind do not meet. */
const areOfOneMoment = (group: readonly Symptom[]): boolean => nodesOf(group) > 1 && !hasLeader(group, skewMs);

/** One node of the group showed it certainly, and by so much, before all others. */
function hasLeader(group: readonly Symptom[], byMs = 0): boolean {
  const first = earliestOf(group);
  if (first === undefined) return false;
  return group.every(other => other.node === first.node || certainlyAfter(other.first, first.first, byMs));
}

function settleGroup(
  judgement: Judgement,
  { accused: group, first, nodes }: Group,
  context: ReasoningContext,
): Judgement {
  const earlier = earliestOf(accusing(judgement.symptoms).filter(other => precedes(other, first)));
  if (earlier !== undefined) {
    const elsewhere = group.filter(symptom => symptom.node !== earlier.node);
    const follow = (symptom: Symptom): Symptom =>
      settle(symptom, 'cascade', name, `seen on many nodes, and not before ${nameOf(earlier)}`, earlier.id);
    return { ...judgement, symptoms: changed(judgement.symptoms, elsewhere, follow) };
  }
  const said = `the same on ${nodes} nodes: one cause that they share, not a fault of each`;
  if (judgement.job !== null || !isMany(nodes, context) || !mayBlameJob(group, context)) {
    const spare = (symptom: Symptom): Symptom => settle(symptom, 'unknown', name, said);
    return { ...judgement, symptoms: changed(judgement.symptoms, group, spare) };
  }
  return {
    symptoms: spareOthers(judgement.symptoms, group, first),
    job: { category: first.category, symptoms: [first, ...restOf(group, first)], said },
  };
}

function precedes(other: Symptom, first: Symptom): boolean {
  if (other.symptom === first.symptom || strengthRank(other) > 2 || !isTrusted(other)) return false;
  if (strengthRank(other) > strengthRank(first)) return false;
  return !certainlyAfter(other.first, first.first);
}

/** What only the job's text says of many nodes is told of the job where nodes were looked at, and never of devices. */
function mayBlameJob(group: readonly Symptom[], context: ReasoningContext): boolean {
  if (group.some(isTrusted)) return true;
  return group.every(isSetUp) && readNodeLocal(context.coverage);
}

/** Nodes accused of something else: an S1 stays unexplained, the rest follows unless it certainly came first. */
function spareOthers(
  symptoms: readonly Symptom[],
  group: readonly Symptom[],
  first: Symptom,
): readonly Symptom[] {
  const shared = new Set(group);
  const others = accusing(symptoms).filter(symptom => !shared.has(symptom));
  return changed(symptoms, others, symptom => {
    if (symptom.strength === 'S1' || certainlyAfter(first.first, symptom.first)) {
      return settle(symptom, 'unknown', name, `many nodes share another symptom: ${first.title}`);
    }
    return settle(symptom, 'cascade', name, `not before ${first.title}, which many nodes share`, first.id);
  });
}

const restOf = (group: readonly Symptom[], first: Symptom): readonly Symptom[] =>
  group.filter(symptom => symptom !== first).toSorted(byWeight);
