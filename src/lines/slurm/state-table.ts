import type { StateRow } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { expandHostList } from '../host-list.ts';
import type { LineDating } from '../line.ts';

/** Facts of a table, and how many of its lines or values could not be read safely. */
export interface StateTable {
  readonly rows: readonly StateRow[];
  readonly unread: number;
}

/** Where a fact has no time of its own, its place in the table is all that is known. */
export function undated(dating: LineDating, line: number): Instant {
  return {
    nanos: null,
    plusMinus: 0n,
    basis: 'file_order',
    clock: `${dating.clock}#line`,
    tick: BigInt(line),
  };
}

const maxQuoted = 4096;

/** The line as it stands, or the stretch of a very long one that states the fact. */
export function quote(line: string, at: number, length: number): string {
  return line.length <= maxQuoted ? line : line.slice(at, at + Math.min(length, maxQuoted));
}

/** What Slurm prints where it has nothing to say. */
const nothing = new Set(['', '(null)', 'N/A', 'None', 'Unknown', 'None assigned']);

export function isStated(value: string): boolean {
  return !nothing.has(value);
}

const ended = new Set([
  'COMPLETED',
  'COMPLETING',
  'FAILED',
  'CANCELLED',
  'TIMEOUT',
  'DEADLINE',
  'NODE_FAIL',
  'BOOT_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'REVOKED',
  'REQUEUED',
]);

/** Whether a job in this state is over: before, the end that Slurm prints is only its limit. */
export function isEnded(state: string): boolean {
  return ended.has(state.split(/[ +,]/, 1)[0] ?? '');
}

/** Nodes of a host list in a cell; none where it names nobody or more than `limit`. */
export function nodesOf(list: string, limit: number): readonly string[] {
  if (!isStated(list)) return [];
  const expanded = expandHostList(list, limit);
  return expanded.ok ? expanded.names : [];
}

/** The node of a list of one. */
export function onlyNode(list: string): string | null {
  return nodesOf(list, 1)[0] ?? null;
}
