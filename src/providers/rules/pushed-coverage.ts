import type { Origin } from '../../core/batch.ts';
import type { CoverageGroup, SourceCoverage } from '../../core/coverage.ts';
import { pushedSource } from '../../core/pushed.ts';
import type { Nanos } from '../../core/time.ts';
import { coverageGroup } from '../../evidence/coverage.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { namesOf } from './merge-coverage.ts';

interface OriginTally {
  streams: number;
  lines: number;
  bytes: number;
  from: Nanos | null;
  to: Nanos | null;
  /** Hosts whose lines came whole, and those whose sender may have left some out. */
  readonly whole: Set<string>;
  readonly filtered: Set<string>;
}

/** What one round of observations held. */
export interface PushedTally {
  skipped: number;
  /** Symptoms of hosts that are none of the job's, left out. */
  outside: number;
  of(origin: Origin): OriginTally;
  readonly origins: ReadonlyMap<Origin, OriginTally>;
}

export function pushedTally(): PushedTally {
  const origins = new Map<Origin, OriginTally>();
  return {
    skipped: 0,
    outside: 0,
    origins,
    of(origin) {
      const known = origins.get(origin) ?? {
        streams: 0,
        lines: 0,
        bytes: 0,
        from: null,
        to: null,
        whole: new Set<string>(),
        filtered: new Set<string>(),
      };
      origins.set(origin, known);
      return known;
    },
  };
}

const filteredReason = 'its sender leaves lines out that it does not look for';
const silentReason = 'sent nothing, which proves nothing';

/** Coverage of a session with a round added to what was pushed before; other sources stay as they are. */
export function pushedCoverage(
  before: readonly SourceCoverage[],
  tally: PushedTally,
  nodes: readonly string[],
): readonly SourceCoverage[] {
  const others = before.filter(entry => entry.source !== pushedSource);
  const known = before.filter(entry => entry.source === pushedSource);
  const origins = new Set<Origin>([...known.map(({ origin }) => origin), ...tally.origins.keys()]);
  if (origins.size === 0 && tally.skipped > 0) origins.add('job');
  const entries = [...origins].map(origin =>
    joined(known.find(entry => entry.origin === origin) ?? null, origin, tally.of(origin), nodes),
  );
  const counted = withCount(withCount(entries, outsideWords, tally.outside), skippedWords, tally.skipped);
  return [...others, ...counted];
}

function joined(
  before: SourceCoverage | null,
  origin: Origin,
  tally: OriginTally,
  nodes: readonly string[],
): SourceCoverage {
  const { streams, lines, bytes } = tally;
  const { groups, unplaced } =
    lostGroups(before) ?? (origin === 'job' ? jobGroups(before, tally) : nodeGroups(before, tally, nodes));
  const remarks = unplaced.map(
    name => `lines of "${name}" belong to no node of the job, or could be several's`,
  );
  return {
    source: pushedSource,
    origin,
    window: wider(before?.window ?? null, tally),
    query: null,
    filter: null,
    streams: (before?.streams ?? 0) + streams,
    lines: (before?.lines ?? 0) + lines,
    bytes: (before?.bytes ?? 0) + bytes,
    groups,
    notYet: null,
    remarks: [...new Set([...(before?.remarks ?? []), ...remarks])].slice(0, mostRemarks),
  };
}

const mostRemarks = 20;

interface Groups {
  readonly groups: readonly CoverageGroup[];
  readonly unplaced: readonly string[];
}

/** Once what was pushed is lost, what comes later tells of no node how much of it is known. */
function lostGroups(before: SourceCoverage | null): Groups | null {
  const isLost = before?.groups.some(({ status }) => status === 'failed') === true;
  return isLost ? { groups: before.groups, unplaced: [] } : null;
}

function jobGroups(before: SourceCoverage | null, { whole, filtered }: OriginTally): Groups {
  const isCut = filtered.size > 0 || before?.groups.some(({ status }) => status === 'truncated') === true;
  const status = isCut ? 'truncated' : whole.size > 0 ? 'complete' : 'unknown';
  const known = before !== null && whole.size === 0 && filtered.size === 0 ? before.groups : null;
  const reason = isCut ? filteredReason : null;
  return { groups: known ?? [{ status, nodes: '', count: 0, reason }], unplaced: [] };
}

/** A node is complete once its lines came whole; one that sent nothing is not looked at. */
function nodeGroups(before: SourceCoverage | null, tally: OriginTally, nodes: readonly string[]): Groups {
  const statuses = new Map<string, 'complete' | 'truncated'>();
  for (const group of before?.groups ?? []) {
    if (group.status !== 'complete' && group.status !== 'truncated') continue;
    for (const name of namesOf(group)) statuses.set(name, group.status);
  }
  const directory = nodeDirectory(nodes.map(name => ({ name, aliases: [] })));
  const unplaced: string[] = [];
  const place = (hostname: string, status: 'complete' | 'truncated'): void => {
    const match = directory.resolve(hostname);
    const node = nodes.length === 0 ? hostname : match.kind === 'one' ? match.node : null;
    if (node === null) unplaced.push(hostname);
    else if (node !== '' && statuses.get(node) !== 'complete') statuses.set(node, status);
  };
  for (const hostname of tally.filtered) place(hostname, 'truncated');
  for (const hostname of tally.whole) place(hostname, 'complete');
  const having = (wanted: string): readonly string[] =>
    [...statuses].filter(([, status]) => status === wanted).map(([name]) => name);
  const silent = nodes.filter(name => !statuses.has(name));
  const groups = [
    coverageGroup('complete', having('complete'), null),
    coverageGroup('truncated', having('truncated'), filteredReason),
    coverageGroup('unknown', silent, silentReason),
  ];
  return { groups: groups.filter(({ count }) => count > 0), unplaced };
}

function wider(
  window: SourceCoverage['window'],
  { from, to }: Pick<OriginTally, 'from' | 'to'>,
): SourceCoverage['window'] {
  if (from === null || to === null) return window;
  if (window === null) return { from, to };
  return { from: from < window.from ? from : window.from, to: to > window.to ? to : window.to };
}

const skippedWords = ' entries could not be read and were left out';
const outsideWords = ' symptoms of hosts outside the job were left out';

/** Told with the first entry, as a sum over all rounds. */
function withCount(entries: readonly SourceCoverage[], words: string, more: number): readonly SourceCoverage[] {
  const isCount = (remark: string): boolean => remark.endsWith(words);
  const earlier = entries
    .flatMap(({ remarks }) => remarks.filter(isCount))
    .reduce((sum, remark) => sum + Number.parseInt(remark, 10), 0);
  const total = earlier + more;
  return entries.map((entry, at) => {
    const remarks = entry.remarks.filter(remark => !isCount(remark));
    return { ...entry, remarks: at === 0 && total > 0 ? [`${total}${words}`, ...remarks] : remarks };
  });
}
