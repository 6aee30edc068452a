import type { CoverageGroup, CoverageStatus, SourceCoverage } from '../../core/coverage.ts';
import { coverageGroup } from '../../evidence/coverage.ts';
import { expandHostList } from '../../lines/host-list.ts';

export interface NodeStatus {
  readonly status: CoverageStatus;
  readonly reason: string;
}

const mostNames = 100_000;

/** Moves nodes that were read to the status of what became of their lines afterwards; others stay where they are. */
export function amendCoverage(
  coverage: readonly SourceCoverage[],
  statusOf: (node: string) => NodeStatus | null,
): readonly SourceCoverage[] {
  return coverage.map(source => ({
    ...source,
    groups: source.groups.flatMap(group => amend(group, statusOf)),
  }));
}

function amend(group: CoverageGroup, statusOf: (node: string) => NodeStatus | null): readonly CoverageGroup[] {
  if (group.status !== 'complete') return [group];
  const expanded = expandHostList(group.nodes, mostNames);
  if (!expanded.ok) return [group];
  const byStatus = Map.groupBy(expanded.names, node => {
    const status = statusOf(node);
    return status === null ? '' : JSON.stringify([status.status, status.reason]);
  });
  if (byStatus.size === 1 && byStatus.has('')) return [group];
  return [...byStatus].map(([key, nodes]) => {
    if (key === '') return coverageGroup('complete', nodes, group.reason);
    const [status, reason] = JSON.parse(key) as [CoverageStatus, string];
    return coverageGroup(status, nodes, reason);
  });
}
