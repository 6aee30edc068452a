import type { Origin } from '../core/batch.ts';
import type { CoverageStatus, SourceCoverage } from '../core/coverage.ts';
import { expandHostList } from '../lines/host-list.ts';

const maxNames = 100_000;
const nodeLocal: ReadonlySet<Origin> = new Set(['kernel', 'scheduler', 'exporter', 'health']);

/**
 * Whether anything local to nodes was read: a kernel, scheduler-node, exporter or health source that was read
 * completely for at least one node.
 */
export function readNodeLocal(coverage: readonly SourceCoverage[]): boolean {
  return coverage.some(
    source =>
      nodeLocal.has(source.origin) &&
      source.groups.some(group => group.status === 'complete' && group.count > 0 && group.nodes !== ''),
  );
}

/** What was proved about nodes for one origin, over all its sources. */
export interface NodeStatuses {
  /** Every status some source has for the node; empty where none speaks of it. */
  of(node: string): ReadonlySet<CoverageStatus>;
}

const none: ReadonlySet<CoverageStatus> = new Set();

/** Coverage is looked at by several steps, and again in each reckoning of what would have changed the verdict. */
const expanded = new WeakMap<readonly SourceCoverage[], Map<Origin, NodeStatuses>>();

/** Looks up node coverage of one origin; host lists are expanded once. */
export function nodeStatuses(coverage: readonly SourceCoverage[], origin: Origin): NodeStatuses {
  const byOrigin = expanded.get(coverage) ?? new Map<Origin, NodeStatuses>();
  expanded.set(coverage, byOrigin);
  const known = byOrigin.get(origin);
  if (known !== undefined) return known;
  const statuses = expand(coverage, origin);
  byOrigin.set(origin, statuses);
  return statuses;
}

function expand(coverage: readonly SourceCoverage[], origin: Origin): NodeStatuses {
  const statuses = new Map<string, Set<CoverageStatus>>();
  for (const source of coverage) {
    if (source.origin !== origin) continue;
    for (const group of source.groups) {
      const list = expandHostList(group.nodes, maxNames);
      if (!list.ok) continue;
      for (const node of list.names) {
        const known = statuses.get(node);
        if (known === undefined) statuses.set(node, new Set([group.status]));
        else known.add(group.status);
      }
    }
  }
  return { of: node => statuses.get(node) ?? none };
}
