import type { CoverageGroup, CoverageStatus, SourceCoverage } from '../../core/coverage.ts';
import type { Window } from '../../core/time.ts';
import { coverageGroup } from '../coverage.ts';
import type { LogOrigin } from './log-store.ts';

export interface Verdict {
  readonly status: CoverageStatus;
  readonly reason: string | null;
}

/** What was read of one origin, apart from what that proves. */
export interface OriginCounts {
  streams: number;
  lines: number;
  bytes: number;
  readonly remarks: string[];
}

export const noCounts = (): OriginCounts => ({ streams: 0, lines: 0, bytes: 0, remarks: [] });

/** Nodes in as few groups as there are statuses and reasons. */
export function groupsOf(verdicts: ReadonlyMap<string, Verdict>): readonly CoverageGroup[] {
  const groups = new Map<string, { readonly verdict: Verdict; readonly nodes: string[] }>();
  for (const [node, verdict] of verdicts) {
    const key = `${verdict.status} ${verdict.reason}`;
    const group = groups.get(key) ?? { verdict, nodes: [] };
    groups.set(key, group);
    group.nodes.push(node);
  }
  return [...groups.values()].map(({ verdict, nodes }) => coverageGroup(verdict.status, nodes, verdict.reason));
}

export function storeCoverage(
  source: string,
  asked: { readonly origin: LogOrigin; readonly window: Window },
  query: { readonly query: string; readonly filter: string | null },
  counts: OriginCounts,
  groups: readonly CoverageGroup[],
): SourceCoverage {
  const { streams, lines, bytes, remarks } = counts;
  const { origin, window } = asked;
  return { source, origin, window, ...query, streams, lines, bytes, groups, notYet: null, remarks };
}
