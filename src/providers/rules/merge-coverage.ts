import type { CoverageGroup, CoverageStatus, SourceCoverage } from '../../core/coverage.ts';
import type { SourceNeed } from '../../core/ports.ts';
import { compressHostList, expandHostList } from '../../lines/host-list.ts';

/** More names than any cluster has; host lists of coverage are our own and always expand. */
const namesLimit = 1_000_000;

export function namesOf(group: CoverageGroup): readonly string[] {
  if (group.nodes === '') return [];
  const expanded = expandHostList(group.nodes, namesLimit);
  return expanded.ok ? expanded.names : [];
}

/** What a slow request reads again: every source and node whose coverage was not complete. */
export function unreadNeeds(coverage: readonly SourceCoverage[]): readonly SourceNeed[] {
  const needs = new Map<string, Set<string> | 'all'>();
  for (const entry of coverage) {
    for (const group of entry.groups) {
      if (group.status === 'complete' || group.status === 'not_configured') continue;
      const names = namesOf(group);
      const known = needs.get(entry.source) ?? new Set<string>();
      if (names.length === 0 || known === 'all') needs.set(entry.source, 'all');
      else needs.set(entry.source, new Set([...known, ...names]));
    }
    if (entry.notYet !== null) needs.set(entry.source, 'all');
  }
  return [...needs].map(([source, nodes]) => ({ source, nodes: nodes === 'all' ? [] : [...nodes].sort() }));
}

/** Coverage of two reads as one: for each source, origin and node the later read stands, but where it looked at nothing. */
export function mergeCoverage(
  earlier: readonly SourceCoverage[],
  later: readonly SourceCoverage[],
): readonly SourceCoverage[] {
  const merged = new Map(earlier.map(entry => [keyOf(entry), entry]));
  for (const entry of later) {
    const known = merged.get(keyOf(entry));
    merged.set(keyOf(entry), known === undefined ? entry : joined(known, entry));
  }
  return [...merged.values()];
}

function keyOf(entry: SourceCoverage): string {
  return `${entry.source}\n${entry.origin}`;
}

function joined(earlier: SourceCoverage, later: SourceCoverage): SourceCoverage {
  if (later.groups.length === 0) return { ...earlier, remarks: union(earlier.remarks, later.remarks) };
  return {
    ...later,
    window: wider(earlier.window, later.window),
    streams: Math.max(earlier.streams, later.streams),
    lines: Math.max(earlier.lines, later.lines),
    bytes: Math.max(earlier.bytes, later.bytes),
    groups: joinedGroups(earlier.groups, later.groups),
    remarks: union(earlier.remarks, later.remarks),
  };
}

interface NodeStatus {
  readonly status: CoverageStatus;
  readonly reason: string | null;
}

/** A node once read completely stays so: the later read asked for what was missing. */
function joinedGroups(
  earlier: readonly CoverageGroup[],
  later: readonly CoverageGroup[],
): readonly CoverageGroup[] {
  const whole = later.filter(group => group.nodes === '');
  const byNode = new Map<string, NodeStatus>();
  for (const group of [...earlier, ...later]) {
    for (const name of namesOf(group)) {
      if (byNode.get(name)?.status === 'complete') continue;
      byNode.set(name, { status: group.status, reason: group.reason });
    }
  }
  const byStatus = new Map<string, { status: NodeStatus; names: string[] }>();
  for (const [name, status] of byNode) {
    const key = `${status.status}\n${status.reason ?? ''}`;
    const group = byStatus.get(key) ?? { status, names: [] };
    group.names.push(name);
    byStatus.set(key, group);
  }
  const grouped = [...byStatus.values()].map(({ status, names }) => ({
    ...status,
    nodes: compressHostList(names),
    count: names.length,
  }));
  return [...(whole.length > 0 ? whole : earlier.filter(group => group.nodes === '')), ...grouped];
}

function wider(a: SourceCoverage['window'], b: SourceCoverage['window']): SourceCoverage['window'] {
  if (a === null || b === null) return a ?? b;
  return { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}
