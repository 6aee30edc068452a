import type { Evidence, Finding } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Target } from '../../core/target.ts';
import { earliest } from '../../core/time.ts';
import type { ReasoningContext } from '../context.ts';
import { byTime, byWeight } from '../explain/order.ts';
import { cite, note } from './evidence.ts';
import { accusing, type Judgement } from './judgement.ts';
import type { LateRanks } from './late-ranks.ts';
import { notesOn } from './notes.ts';
import { proofLevelOf } from './proof-level.ts';
import { reliability } from './reliability.ts';

/** One finding for each target, with all its evidence; nodes in the order of the job's. */
export function findingsOf(
  judgement: Judgement,
  context: ReasoningContext,
  late: readonly LateRanks[] = [],
): readonly Finding[] {
  const { symptoms, job } = judgement;
  if (job !== null) {
    const said = job.said === null ? [] : [note(job.said)];
    return [finding({ type: 'AllJobResources' }, job.symptoms, said, symptoms, context, job.category)];
  }
  const byNode = Map.groupBy(accusing(symptoms), symptom => symptom.node ?? '');
  const named = context.jobNodes.filter(node => byNode.has(node));
  const order = new Map(named.map((node, at) => [node, at]));
  return [...byNode]
    .toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || (a < b ? -1 : 1))
    .map(([node, accusations]) => {
      const leads = accusations.toSorted(byWeight);
      const waitedFor = late.filter(({ nodes }) => nodes.includes(node)).map(({ said }) => note(said, node));
      const category = leads[0]?.category ?? 'unknown';
      return {
        ...finding({ type: 'Node', node }, leads, waitedFor, symptoms, context, category),
        confidence: confidenceIn(leads, symptoms),
      };
    });
}

/** Lines quoted of the symptom that decides, of each further one that accuses, and of what only goes with them. */
const linesOfLead = 3;
const linesOfOthers = 1;

function finding(
  target: Target,
  leads: readonly Symptom[],
  said: readonly Evidence[],
  symptoms: readonly Symptom[],
  context: ReasoningContext,
  category: Finding['category'],
): Finding {
  const node = target.type === 'Node' ? target.node : null;
  const cited = [...leads, ...supportOf(leads, node, symptoms)];
  const notes = [...said, ...notesOn(leads, symptoms, node)];
  const room = Math.max(1, context.settings.maxEvidence - notes.length);
  const lines = cited.flatMap((symptom, at) =>
    symptom.observations
      .slice(0, at === 0 ? linesOfLead : linesOfOthers)
      .map(observation => cite(symptom, observation)),
  );
  const evidence = [...lines.slice(0, room), ...notes];
  return { target, category, observedAt: observedAt(leads), evidence, confidence: null };
}

function confidenceIn(leads: readonly Symptom[], symptoms: readonly Symptom[]): number | null {
  const level = proofLevelOf(leads, symptoms);
  return level === null ? null : reliability[level].confidence;
}

/** What else the node itself shows of the failure: consequences and confirmations, the strong ones first. */
function supportOf(
  leads: readonly Symptom[],
  node: string | null,
  symptoms: readonly Symptom[],
): readonly Symptom[] {
  if (node === null) return [];
  const ids = new Set(leads.map(symptom => symptom.id));
  const supports = (symptom: Symptom): boolean =>
    symptom.node === node &&
    !ids.has(symptom.id) &&
    (symptom.ruleRole === 'confirmation' || (symptom.role === 'cascade' && symptom.ruleRole === 'root'));
  return symptoms.filter(supports).toSorted(byWeight);
}

function observedAt(leads: readonly Symptom[]): bigint | null {
  const times = leads
    .toSorted(byTime)
    .flatMap(symptom => symptom.observations.map(observation => observation.instant.nanos))
    .filter(nanos => nanos !== null);
  return times.length === 0 ? null : earliest(times);
}
