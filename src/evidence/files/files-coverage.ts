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
    remarks: [...brokenFor(origin, survey).map(({ text }) => `not read: ${text}`), ...tally.remarks(origin)],
  };
}

function groupsOf({ origin, nodes }: Asked, survey: Survey, counts: OriginTally): readonly CoverageGroup[] {
  const whole = wholeVerdict(origin, survey, counts);
  if (origin === 'job') return [coverageGroup(whole.status, [], whole.reason)];
  const left = leftOf(origin, survey);
  const own = [...counts.byNode.keys(), ...counts.seen, ...left.keys()].filter(node => node !== null);
  const known = nodes.length > 0 ? nodes : [...new Set(own)].sort();
  const verdicts = new Map<string, { verdict: Verdict; nodes: string[] }>();
  // Where no node is known, or shared files failed, what holds for all of them is a group without names.
  if (known.length === 0 || (counts.shared !== null && !isRead(counts.shared))) put(verdicts, whole, null);
  for (const node of known) {
    const verdict = withLeft(nodeVerdict(node, origin, whole, counts), left.get(node));
    put(verdicts, verdict, isOfJob(verdict, origin, counts, node) ? null : node);
  }
  return [...verdicts.values()].map(({ verdict, nodes: own }) =>
    coverageGroup(verdict.status, own, verdict.reason),
  );
}

function put(
  verdicts: Map<string, { verdict: Verdict; nodes: string[] }>,
  verdict: Verdict,
  node: string | null,
): void {
  const key = `${verdict.status} ${verdict.reason} ${node === null}`;
  const group = verdicts.get(key) ?? { verdict, nodes: [] };
  verdicts.set(key, group);
  if (node !== null) group.nodes.push(node);
}

/** The scheduler's text speaks of the job as a whole, but for nodes with a record of their own. */
function isOfJob(verdict: Verdict, origin: Origin, counts: OriginTally, node: string): boolean {
  return origin === 'scheduler' && isRead(verdict) && !counts.seen.has(node) && !counts.byNode.has(node);
}

/** What can be said of an origin without looking at nodes. */
function wholeVerdict(origin: Origin, survey: Survey, counts: OriginTally): Verdict {
  if (counts.shared !== null) return withLeft(counts.shared, leftOf(origin, survey).get(null));
  if (survey.cut) return { status: 'timed_out', reason: 'the deadline came before all files were listed' };
  if (brokenFor(origin, survey).length > 0)
    return { status: 'failed', reason: 'a file or root could not be read' };
  const left = leftOf(origin, survey).get(null);
  if (left !== undefined) return { status: 'truncated', reason: notAllRead(left) };
  if (counts.byNode.size > 0 || survey.places.has(origin))
    return { status: 'absent', reason: 'there is no file of it' };
  return { status: 'not_configured', reason: null };
}

/** A root that cannot be read might have held anything. */
function brokenFor(origin: Origin, survey: Survey): Survey['broken'] {
  return survey.broken.filter(({ place }) => place === origin || place === 'loose');
}

/** Why files were not listed, by whose they are; of everybody's or nobody's under null. */
function leftOf(origin: Origin, survey: Survey): ReadonlyMap<string | null, string> {
  const own = survey.left.filter(({ place }) => place === origin || place === 'loose');
  return new Map(own.map(({ node, reason }) => [node, reason]));
}

/** What was read of a node is not all there is. */
function withLeft(verdict: Verdict, reason: string | undefined): Verdict {
  if (reason === undefined || ['failed', 'timed_out'].includes(verdict.status)) return verdict;
  return { status: 'truncated', reason: notAllRead(reason) };
}

function notAllRead(reason: string): string {
  return `not all its files were read: ${reason}`;
}

function isRead({ status }: Verdict): boolean {
  return status === 'complete' || status === 'silent';
}

function nodeVerdict(node: string, origin: Origin, whole: Verdict, counts: OriginTally): Verdict {
  const own = counts.byNode.get(node);
  if (own !== undefined && own.status !== 'silent' && own.status !== 'unknown') return own;
  if (counts.seen.has(node)) return { status: 'complete', reason: null };
  if (own !== undefined) return own;
  if (counts.shared === null) return whole;
  if (!isRead(whole)) return whole;
  if (origin === 'scheduler') return whole;
  if (origin === 'exporter') return { status: 'absent', reason: 'no series is of it' };
  return {
    status: 'unknown',
    reason: 'only files shared by several nodes were read, and no line of it was seen',
  };
}

function notYetOf(window: Window | null, now: Nanos): Window | null {
  if (window === null || window.to <= now) return null;
  return { from: window.from > now ? window.from : now, to: window.to };
}
