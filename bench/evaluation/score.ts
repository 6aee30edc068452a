import type { Truth, TruthKind } from '../incidents/incident.ts';
import type { Answer } from './answer.ts';

/** One incident answered. */
export interface Judged {
  readonly id: string;
  readonly nodes: number;
  readonly truth: Truth;
  readonly answer: Answer;
}

export interface Share {
  readonly right: number;
  readonly of: number;
}

export function ratio({ right, of }: Share): number | null {
  return of === 0 ? null : right / of;
}

export interface FamilyScore {
  readonly family: string;
  readonly kind: TruthKind;
  readonly incidents: number;
  /** Node: the node is named and no other. Job: the whole job and no node. Else: nobody. */
  readonly answered: Share;
  /** Named nodes that are at fault. */
  readonly precision: Share;
}

/** Figures of one engine over one seed. */
export interface Score {
  /** Named nodes that are at fault, over all named nodes. */
  readonly precision: Share;
  /** Incidents of one node in which it is named. */
  readonly recall: Share;
  readonly recallWithoutLog: Share;
  /** Application faults answered with the whole job and no node. */
  readonly application: Share;
  readonly applicationBlamedOnNode: Share;
  /** Unknowable incidents answered with nothing. */
  readonly abstained: Share;
  /** Ends that somebody wanted, answered with nothing. */
  readonly ended: Share;
  /** Faults of more than 16 nodes at once with no node named. */
  readonly sharedUnnamed: Share;
  readonly category: Share;
  readonly families: readonly FamilyScore[];
}

export function scoreOf(judged: readonly Judged[]): Score {
  const of = (kind: TruthKind) => judged.filter(({ truth }) => truth.kind === kind);
  const nodes = of('node');
  const jobs = of('job');
  return {
    precision: precisionOf(judged),
    recall: share(nodes, namesCulprit),
    recallWithoutLog: share(
      nodes.filter(({ truth }) => truth.culpritLogMissing),
      namesCulprit,
    ),
    application: share(jobs, ({ answer }) => answer.wholeJob && answer.named.length === 0),
    applicationBlamedOnNode: share(jobs, ({ answer }) => answer.named.length > 0),
    abstained: share(of('unknowable'), saysNothing),
    ended: share(of('ended'), saysNothing),
    sharedUnnamed: share(
      of('shared').filter(({ nodes: count }) => count > 16),
      ({ answer }) => answer.named.length === 0,
    ),
    category: share([...nodes, ...jobs].filter(isRight), ({ truth, answer }) =>
      answer.categories.some(category => truth.categories.includes(category)),
    ),
    families: familiesOf(judged),
  };
}

function familiesOf(judged: readonly Judged[]): readonly FamilyScore[] {
  const groups = Map.groupBy(judged, ({ truth }) => `${truth.kind}/${truth.family}`);
  const scores = [...groups.values()].map(group => ({
    family: group[0]?.truth.family ?? '',
    kind: group[0]?.truth.kind ?? 'node',
    incidents: group.length,
    answered: share(group, isRight),
    precision: precisionOf(group),
  }));
  return scores.sort((a, b) => a.kind.localeCompare(b.kind) || a.family.localeCompare(b.family));
}

/** Whether an answer is what the truth asks for. */
export function isRight(one: Judged): boolean {
  const { truth, answer } = one;
  if (truth.kind === 'node') return namesCulprit(one);
  if (truth.kind === 'job') return answer.wholeJob && answer.named.length === 0;
  if (truth.kind === 'shared') return answer.named.length === 0;
  return saysNothing(one);
}

export function namesCulprit({ truth, answer }: Judged): boolean {
  return answer.named.some(({ node }) => node === truth.node);
}

function saysNothing({ answer }: Judged): boolean {
  return answer.named.length === 0 && !answer.wholeJob;
}

function precisionOf(judged: readonly Judged[]): Share {
  const named = judged.flatMap(({ truth, answer }) => answer.named.map(({ node }) => node === truth.node));
  return { right: named.filter(right => right).length, of: named.length };
}

function share<T>(list: readonly T[], good: (item: T) => boolean): Share {
  return { right: list.filter(good).length, of: list.length };
}
