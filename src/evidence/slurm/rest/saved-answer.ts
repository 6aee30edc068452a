import type { StateRow } from '../../../core/batch.ts';
import type { Window } from '../../../core/time.ts';
import type { LineDating } from '../../../lines/line.ts';
import type { StateTable } from '../../../lines/slurm/state-table.ts';
import { apartFromPlanned, maintenanceRows } from '../planned.ts';
import { accountingRows, liveJobRows } from './job-rows.ts';
import { maintenanceOf, nodeRows } from './node-rows.ts';
import { listOf, member, numberOf, textOf } from './values.ts';

/**
 * Rows of a saved answer of slurmrestd, or of `sacct`, `scontrol` and their like with `--json`, which print the same:
 * jobs of the accounting or of the controller, nodes, reservations. Null where the text is none of these. A row's line is
 * that on which its record names itself. Slurm counts time in UTC, whatever the zone of the text around.
 */
export function parseSavedAnswer(text: string, dating: LineDating, window: Window | null): StateTable | null {
  const answer = parsed(text);
  const jobs = listOf(member(answer, 'jobs'));
  const nodes = listOf(member(answer, 'nodes'));
  const reservations = listOf(member(answer, 'reservations'));
  const lists = [jobs, nodes, reservations].filter(list => list.length > 0);
  const known = ['jobs', 'nodes', 'reservations'].some(name => Array.isArray(member(answer, name)));
  if (!known) return null;
  const utc: LineDating = { ...dating, zone: 'UTC', zoneAssumed: false };
  const stored = jobs.filter(job => member(job, 'state', 'current') !== undefined);
  const live = jobs.filter(job => member(job, 'state', 'current') === undefined);
  const planned = maintenanceOf(reservations, utc);
  const numberOfJob = (job: unknown): string => String(numberOf(member(job, 'job_id')) ?? '');
  const rows = [
    ...atLines(accountingRows(stored, utc), placesOf(text, 'job_id', stored.map(numberOfJob))),
    ...atLines(liveJobRows(live, utc), placesOf(text, 'job_id', live.map(numberOfJob))),
    ...atLines(
      apartFromPlanned(
        nodeRows(nodes, () => true, utc),
        new Set(),
        utc,
      ),
      placesOf(text, 'name', nodes.map(nameOf)),
    ),
    ...atLines(
      maintenanceRows(planned, () => true, window, utc),
      placesOf(
        text,
        'name',
        planned.map(({ name }) => name),
      ),
    ),
  ];
  const records = new Set(rows.map(({ entity, name }) => `${entity} ${name}`)).size;
  return { rows, unread: lists.length > 0 && records === 0 ? 1 : 0 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function nameOf(record: unknown): string {
  return textOf(member(record, 'name'));
}

/** Of each record, the line on which it is named: records stand in the text in the order of their list. */
function placesOf(text: string, key: string, names: readonly string[]): readonly number[] {
  let at = 0;
  let line = 1;
  return names.map(name => {
    const found = placeAfter(text, key, name, at);
    if (found === null) return line;
    for (let feed = text.indexOf('\n', at); feed >= 0 && feed < found; feed = text.indexOf('\n', feed + 1)) {
      line += 1;
    }
    at = found;
    return line;
  });
}

/** Where `"key"` is followed by a value; numbers may stand in a box. */
function placeAfter(text: string, key: string, value: string, from: number): number | null {
  const named = `"${key}"`;
  for (let at = text.indexOf(named, from); at >= 0; at = text.indexOf(named, at + 1)) {
    const rest = text.slice(at + named.length, at + named.length + value.length + 256);
    const told = /^\s{0,8}:\s{0,8}(?:\{[^}]{0,128}"number"\s{0,8}:\s{0,8})?"?/.exec(rest);
    if (told === null || !rest.startsWith(value, told[0].length)) continue;
    if (!/[\w.-]/.test(rest[told[0].length + value.length] ?? '')) return at;
  }
  return null;
}

/** Rows know their record by its place in the list. */
function atLines(rows: readonly StateRow[], lines: readonly number[]): readonly StateRow[] {
  return rows.map(row => ({ ...row, line: lines[row.line - 1] ?? row.line }));
}
