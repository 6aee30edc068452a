import type { LineCounts } from './count-lines.ts';
import type { HandedOn } from './hand-on.ts';
import type { Selection, Trouble } from './log-store.ts';
import { worse } from './read-selection.ts';
import type { Verdict } from './store-coverage.ts';

export interface SelectionResult {
  readonly selection: Selection;
  readonly handed: HandedOn;
}

/** From what makes up for nothing to what nothing makes up for. */
const order: readonly Verdict['status'][] = [
  'absent',
  'silent',
  'complete',
  'truncated',
  'timed_out',
  'failed',
];

/**
 * What was proved of each node of a job. `names` has the node of each name in the store: of several names of one node
 * the worst counts, but lines beat silence.
 */
export function judgeNodes(
  nodes: readonly string[],
  names: ReadonlyMap<string, string>,
  lines: LineCounts,
  results: readonly SelectionResult[],
): ReadonlyMap<string, Verdict> {
  const read = readNames(results);
  const verdicts = new Map<string, Verdict>(
    nodes.map(node => [node, { status: 'absent', reason: 'the store knows no node of this name' }]),
  );
  for (const [name, node] of names) {
    const verdict = judgeName(name, lines, read);
    const known = verdicts.get(node);
    if (known === undefined || order.indexOf(verdict.status) > order.indexOf(known.status)) {
      verdicts.set(node, verdict);
    }
  }
  return verdicts;
}

interface ReadNames {
  readonly seen: ReadonlySet<string>;
  readonly troubles: ReadonlyMap<string, Trouble>;
  /** Of a query that named no node. */
  readonly shared: Trouble | null;
  /** Whether every line there is should have come. */
  readonly unfiltered: boolean;
  readonly outside: number;
  /** Why documents of health checks were not read. */
  readonly lost: ReadonlyMap<string | null, string>;
}

function readNames(results: readonly SelectionResult[]): ReadNames {
  const seen = new Set<string>();
  const troubles = new Map<string, Trouble>();
  let shared: Trouble | null = null;
  let outside = 0;
  const lost = new Map<string | null, string>();
  for (const { selection, handed } of results) {
    for (const name of handed.linesByName.keys()) seen.add(name);
    outside += handed.outside;
    for (const [name, reasons] of handed.lost) lost.set(name, reasons.join('; '));
    if (handed.trouble === null) continue;
    if (selection.nodes === null) shared = worse(shared, handed.trouble);
    for (const name of selection.nodes ?? []) troubles.set(name, handed.trouble);
  }
  const unfiltered = results.every(({ selection }) => selection.cover === null);
  return { seen, troubles, shared, unfiltered, outside, lost };
}

function judgeName(name: string, lines: LineCounts, read: ReadNames): Verdict {
  const { seen, troubles, shared, unfiltered, outside } = read;
  const lost = read.lost.get(name) ?? read.lost.get(null);
  const uncounted = lines.troubles.get(name);
  const hasLines = (lines.byName.get(name) ?? 0) > 0;
  const wasRead = hasLines || uncounted !== undefined || seen.has(name);
  const broken = worse(wasRead ? shared : null, troubles.get(name) ?? null);
  if (broken !== null) return { status: broken.status, reason: broken.reason };
  if (lost !== undefined && wasRead) return { status: 'truncated', reason: lost };
  if (seen.has(name)) return { status: 'complete', reason: null };
  if (hasLines && (unfiltered || outside > 0)) {
    return { status: 'truncated', reason: 'the store counted lines of it, and did not return them' };
  }
  if (hasLines && lines.untold !== null) {
    const reason = `none of its lines passed the filter, and whether they hold text could not be told: ${lines.untold.reason}`;
    return { status: lines.untold.status, reason };
  }
  if (hasLines) return { status: 'complete', reason: null };
  if (uncounted === undefined) return { status: 'silent', reason: 'it sent no line in the window' };
  return { status: uncounted.status, reason: uncounted.reason };
}
