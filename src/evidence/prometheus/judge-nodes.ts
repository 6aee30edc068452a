import type { Trouble } from '../log-store/log-store.ts';
import { worse } from '../log-store/read-selection.ts';
import type { Verdict } from '../log-store/store-coverage.ts';
import { type FamilyNodes, isOwnVoice, samplesByNode } from './family.ts';
import type { Screened } from './screen.ts';

export interface Judged {
  readonly nodes: readonly string[];
  readonly families: readonly FamilyNodes[];
  readonly screens: readonly Screened[];
  /** Of the nodes whose series did not come, why. */
  readonly unread: ReadonlyMap<string, Trouble>;
  /** Nodes that the server knows from before the window. */
  readonly knownBefore: ReadonlySet<string>;
}

/** A family with its nodes, and what went wrong when it was screened. */
interface Screening {
  readonly found: FamilyNodes;
  readonly members: ReadonlySet<string>;
  readonly trouble: Trouble | null;
}

/**
 * What was proved of each node. A sample that its own exporter sent is what makes it `complete`: the `up` that a server
 * writes for a dead node proves the opposite. Trouble with what was asked about a node outweighs its samples.
 */
export function judgeNodes(judged: Judged): ReadonlyMap<string, Verdict> {
  const { nodes, families, screens, unread, knownBefore } = judged;
  const screenings = families.map((found): Screening => {
    const own = screens.filter(each => each.found === found).map(({ trouble }) => trouble);
    return { found, members: new Set(found.wanted.values()), trouble: own.reduce(worse, null) };
  });
  const unfound = families.map(({ trouble }) => trouble).reduce(worse, null);
  // A server without any exporter's metrics still tells of scrapes that succeeded.
  const own = families.filter(({ family }) => isOwnVoice(family));
  const speaking = (own.length > 0 ? own : families).map(samplesByNode);
  const verdictOf = (node: string): Verdict => {
    const mine = screenings.filter(({ members }) => members.has(node));
    const broken = [unfound, unread.get(node) ?? null, ...mine.map(({ trouble }) => trouble)].reduce(
      worse,
      null,
    );
    if (broken !== null) return { status: broken.status, reason: broken.reason };
    if (speaking.some(samples => samples.has(node))) return { status: 'complete', reason: null };
    return mine.length > 0 || knownBefore.has(node)
      ? { status: 'silent', reason: 'its exporters gave no sample in the window' }
      : { status: 'absent', reason: 'no series is of a node of this name' };
  };
  return new Map(nodes.map(node => [node, verdictOf(node)]));
}
