import type { Origin } from '../../core/batch.ts';
import type { CoverageStatus } from '../../core/coverage.ts';
import type { CutShort } from './byte-reader.ts';

/** What was proved about one file. */
export interface FileResult {
  readonly origin: Origin;
  /** Whose file it is; null where it is shared. */
  readonly node: string | null;
  readonly status: Extract<
    CoverageStatus,
    'unknown' | 'complete' | 'silent' | 'truncated' | 'failed' | 'timed_out'
  >;
  readonly reason: string | null;
  readonly lines: number;
  readonly bytes: number;
  /** Nodes that what was read of a shared file speaks of as its own. */
  readonly seen: readonly string[];
}

/** The counts of one origin, node by node. */
export interface OriginTally {
  readonly streams: number;
  readonly lines: number;
  readonly bytes: number;
  readonly byNode: ReadonlyMap<string, Proof>;
  /** Nodes that shared files proved to have lines. */
  readonly seen: ReadonlySet<string>;
  /** What shared files proved as a whole; null where there was none. */
  readonly shared: Proof | null;
}

export interface Proof {
  readonly status: FileResult['status'];
  readonly reason: string | null;
}

/** Collects what the files of one reading proved; what it tells does not depend on the order of adding. */
export interface Tally {
  add(result: FileResult): void;
  remark(origin: Origin, text: string): void;
  /** Remarks of what a file was taken for, in one sentence with others taken so. */
  assume(origin: Origin, what: string, path: string): void;
  of(origin: Origin): OriginTally;
  remarks(origin: Origin): readonly string[];
}

/** The worse of two proofs about one node: trouble anywhere is not made up for by another file, having nothing to say is. */
const severity: readonly FileResult['status'][] = [
  'silent',
  'unknown',
  'complete',
  'truncated',
  'timed_out',
  'failed',
];
const mostRemarks = 20;
const namedInRemarks = 3;

/** How the reading of a file ended: complete needs its end and at least one line. */
export function proofOf(ending: CutShort | null, lines: number): Proof {
  if (ending !== null) return { status: ending.status, reason: ending.reason };
  return lines > 0 ? { status: 'complete', reason: null } : { status: 'silent', reason: 'it holds no line' };
}

export function createTally(): Tally {
  const results: FileResult[] = [];
  const remarks = new Map<Origin, Set<string>>();
  const assumed = new Map<Origin, Map<string, string[]>>();
  return {
    add: result => {
      results.push(result);
    },
    remark(origin, text) {
      const known = remarks.get(origin) ?? new Set();
      remarks.set(origin, known.add(text));
    },
    assume(origin, what, path) {
      const known = assumed.get(origin) ?? new Map<string, string[]>();
      assumed.set(origin, known.set(what, [...(known.get(what) ?? []), path]));
    },
    remarks(origin) {
      const taken = [...(assumed.get(origin) ?? [])].map(([what, paths]) => `${what}: ${listOf(paths)}`);
      const all = [...taken.sort(), ...[...(remarks.get(origin) ?? [])].sort()];
      if (all.length <= mostRemarks) return all;
      return [...all.slice(0, mostRemarks), `${all.length - mostRemarks} further remarks were left out`];
    },
    of(origin) {
      const own = results.filter(result => result.origin === origin);
      const byNode = new Map<string, Proof>();
      const sharedFiles = own.filter(result => result.node === null);
      for (const { node, status, reason } of own) {
        if (node !== null) byNode.set(node, worse(byNode.get(node), { status, reason }));
      }
      const readFiles = sharedFiles.filter(({ status }) => status === 'complete');
      return {
        streams: own.filter(result => result.lines > 0).length,
        lines: own.reduce((sum, result) => sum + result.lines, 0),
        bytes: own.reduce((sum, result) => sum + result.bytes, 0),
        byNode,
        seen: new Set(readFiles.flatMap(result => result.seen)),
        shared: sharedFiles.reduce<Proof | null>((proof, result) => worse(proof ?? undefined, result), null),
      };
    },
  };
}

function listOf(paths: readonly string[]): string {
  const shown = paths.toSorted().slice(0, namedInRemarks).join(', ');
  return paths.length > namedInRemarks ? `${shown} and ${paths.length - namedInRemarks} more` : shown;
}

/** Files are read side by side, so what decides between equals must not be which came first. */
function worse(known: Proof | undefined, { status, reason }: Proof): Proof {
  if (known === undefined) return { status, reason };
  const order = severity.indexOf(status) - severity.indexOf(known.status);
  return order > 0 || (order === 0 && (reason ?? '') < (known.reason ?? '')) ? { status, reason } : known;
}
