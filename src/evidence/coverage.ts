import type { Origin } from '../core/batch.ts';
import type { CoverageGroup, CoverageStatus, SourceCoverage } from '../core/coverage.ts';
import type { CollectPlan } from '../core/ports.ts';
import type { Window } from '../core/time.ts';
import { compressHostList } from '../lines/host-list.ts';

/** What a plan asks of one origin: the epilog window for health, else the span of its windows; null is everything. */
export function askedWindow(plan: CollectPlan, origin: Origin): Window | null {
  if (plan.everything) return null;
  const windows = origin === 'health' ? [plan.epilogWindow ?? []].flat() : plan.windows;
  const [first, ...others] = windows;
  if (first === undefined) return null;
  return others.reduce(
    (span, { from, to }) => ({ from: from < span.from ? from : span.from, to: to > span.to ? to : span.to }),
    first,
  );
}

/** Nodes of one status and reason as a group; no names where the origin is not read by node. */
export function coverageGroup(
  status: CoverageStatus,
  nodes: readonly string[],
  reason: string | null,
): CoverageGroup {
  return { status, nodes: compressHostList(nodes), count: nodes.length, reason };
}

/** Coverage of a source that proved nothing: one entry an origin, all nodes of the plan in one group. */
export function nothingProved(
  source: { readonly name: string; readonly origins: readonly Origin[] },
  plan: CollectPlan,
  status: CoverageStatus,
  reason: string,
): readonly SourceCoverage[] {
  const nodes = plan.nodes.map(node => node.name);
  return source.origins.map(origin => ({
    source: source.name,
    origin,
    window: askedWindow(plan, origin),
    query: null,
    filter: null,
    streams: 0,
    lines: 0,
    bytes: 0,
    groups: [coverageGroup(status, origin === 'job' ? [] : nodes, reason)],
    notYet: null,
    remarks: [],
  }));
}
