import type { Origin } from '../../core/batch.ts';
import type { CoverageGroup, CoverageStatus, SourceCoverage } from '../../core/coverage.ts';
import type { CollectPlan } from '../../core/ports.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { askedWindow, coverageGroup } from '../coverage.ts';
import type { Survey } from './survey.ts';
import type { OriginTally, Tally } from './tally.ts';

/** What was asked of one origin. */
export interface Asked {
  readonly origin: Origin;
  /** Spelled as in the job; empty where nobody named nodes. */
  readonly nodes: readonly string[];
}

interface Verdict {
  readonly status: CoverageStatus;
  readonly reason: string | null;
}

/** Coverage of one origin: what was proved of each node asked for, in as few groups as there are statuses and reasons. */
export function filesCoverage(
  source: string,
  asked: Asked,
  plan: CollectPlan,
  survey: Survey,
  tally: Tally,
  now: Nanos,
): SourceCoverage {
  const { origin } = asked;
  const counts = tally.of(origin);
  const window = askedWindow(plan, origin);
  return {
    source,
    origin,
    window,
    query: null,
    filter: null,
    streams: counts.streams,
    lines: counts.lines,
    bytes: counts.bytes,
    groups: groupsOf(asked, survey, counts),
    notYet: notYetOf(window, now),
    remarks: [...survey.broken.map(reason => `not read: ${reason}`), ...tally.remarks(origin)],
  };
}

function groupsOf({ origin, nodes }: Asked, survey: Survey, counts: OriginTally): readonly CoverageGroup[] {
  const whole = wholeVerdict(origin, survey, counts);
  if (origin === 'job') return [coverageGroup(whole.status, [], whole.reason)];
  const known = new Set([...nodes, ...(nodes.length === 0 ? [...counts.byNode.keys(), ...counts.seen] : [])]);
  const verdicts = new Map<string, { verdict: Verdict; nodes: string[] }>();
  for (const node of known) {
    const verdict = nodeVerdict(node, whole, counts);
    const key = `${verdict.status} ${verdict.reason}`;
    const group = verdicts.get(key) ?? { verdict, nodes: [] };
    group.nodes.push(node);
    verdicts.set(key, group);
  }
  const groups = [...verdicts.values()].map(group =>
    coverageGroup(group.verdict.status, group.nodes, group.verdict.reason),
  );
  // What shared files proved is no proof about a node, and yet part of what was looked at.
  const unsaid =
    counts.shared !== null && counts.shared.status !== 'complete' && counts.shared.status !== 'silent';
  return groups.length === 0 || unsaid ? [...groups, coverageGroup(whole.status, [], whole.reason)] : groups;
}

/** What can be said of an origin without looking at nodes. */
function wholeVerdict(origin: Origin, survey: Survey, counts: OriginTally): Verdict {
  if (counts.shared !== null) return counts.shared;
  if (survey.cut) return { status: 'timed_out', reason: 'the deadline came before all files were listed' };
  if (survey.broken.length > 0) return { status: 'failed', reason: 'a file or root could not be read' };
  if (counts.byNode.size > 0 || survey.places.has(origin))
    return { status: 'absent', reason: 'there is no file of it' };
  return { status: 'not_configured', reason: null };
}

function nodeVerdict(node: string, whole: Verdict, counts: OriginTally): Verdict {
  const own = counts.byNode.get(node);
  if (own !== undefined && own.status !== 'silent') return own;
  if (counts.seen.has(node)) return { status: 'complete', reason: null };
  if (own !== undefined) return own;
  if (counts.shared === null) return whole;
  if (counts.shared.status !== 'complete' && counts.shared.status !== 'silent') return counts.shared;
  return {
    status: 'unknown',
    reason: 'only files shared by several nodes were read, and no line of it was seen',
  };
}

function notYetOf(window: Window | null, now: Nanos): Window | null {
  if (window === null || window.to <= now) return null;
  return { from: window.from > now ? window.from : now, to: window.to };
}
