import type { StateRow } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { dateIso } from '../stamp-dating.ts';
import { isEnded, isStated, nodesOf, onlyNode, quote, type StateTable, undated } from './state-table.ts';

/** Columns of `sacct -P` that state something about a failure, and the field they are reported as. */
const fields: ReadonlyMap<string, string> = new Map([
  ['State', 'state'],
  ['ExitCode', 'exit_code'],
  ['DerivedExitCode', 'derived_exit_code'],
  ['Reason', 'reason'],
  ['NodeList', 'node_list'],
  ['FailedNode', 'failed_node'],
  ['Start', 'start_time'],
  ['End', 'end_time'],
  ['Restarts', 'restarts'],
  ['AdminComment', 'admin_comment'],
  ['SystemComment', 'system_comment'],
]);

/** A job fails on few nodes; a cell that claims more is no fact. */
const maxFailedNodes = 64;

/** Where the table stands in its stream, and the columns of one printed without header (`-n`). */
export interface SacctOptions {
  readonly firstLine?: number;
  readonly columns?: readonly string[];
}

/**
 * Facts of `sacct -P`, one row a cell, dated by the row's own times in the stream's zone. A row with another number of
 * cells than its header is not read: the separator is not escaped, and a job may be named so as to shift its columns.
 */
export function parseSacct(text: string, dating: LineDating, options: SacctOptions = {}): StateTable {
  const rows: StateRow[] = [];
  let header = options.columns ?? null;
  let unread = 0;
  let number = (options.firstLine ?? 1) - 1;
  for (const line of text.split('\n')) {
    number += 1;
    const cells = line.replace(/\r$/, '').split('|');
    if (cells.length === 1 && cells[0]?.trim() === '') continue;
    if (cells.includes('JobID') && cells.includes('State')) header = cells;
    else if (header === null || cells.length !== header.length) unread += 1;
    else rows.push(...factsOf(header, cells, line, number, dating));
  }
  return { rows, unread };
}

function factsOf(
  header: readonly string[],
  cells: readonly string[],
  line: string,
  number: number,
  dating: LineDating,
): readonly StateRow[] {
  const cell = (column: string): string => cells[header.indexOf(column)]?.trim() ?? '';
  const name = cell('JobID');
  if (name === '') return [];
  const start = dateIso(cell('Start'), dating);
  const end = isEnded(cell('State')) ? dateIso(cell('End'), dating) : null;
  const failed = nodesOf(cell('FailedNode'), maxFailedNodes);
  const node = onlyNode(failed.length > 0 ? cell('FailedNode') : cell('NodeList'));
  const base = { entity: 'job', name, line: number, text: quote(line, 0, line.length) } as const;
  return header.flatMap((column): readonly StateRow[] => {
    const field = fields.get(column);
    const value = cell(column);
    if (field === undefined || !isStated(value)) return [];
    const instant = instantOf(field, start, end) ?? undated(dating, number);
    if (field !== 'failed_node') return [{ ...base, node, field, value, instant }];
    return failed.map(failedNode => ({ ...base, node: failedNode, field, value: failedNode, instant }));
  });
}

function instantOf(field: string, start: Instant | null, end: Instant | null): Instant | null {
  return field === 'start_time' || field === 'node_list' ? start : end;
}
