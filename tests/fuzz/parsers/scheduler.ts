import type { StateRow } from '../../../src/core/batch.ts';
import { nameAsAccounted } from '../../../src/evidence/slurm/commands/job-names.ts';
import { parseReservations } from '../../../src/evidence/slurm/commands/reservations.ts';
import { parseSavedAnswer } from '../../../src/evidence/slurm/rest/saved-answer.ts';
import { choosePaths } from '../../../src/evidence/slurm/rest/versions.ts';
import { compressHostList, expandHostList } from '../../../src/lines/host-list.ts';
import { parseSacct } from '../../../src/lines/slurm/sacct.ts';
import { parseScontrol } from '../../../src/lines/slurm/scontrol.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';
import { dating } from './lines.ts';

const mostNames = 5_000;

function checkRows(rows: readonly StateRow[], lines: number): void {
  for (const { line, value } of rows) {
    owes(line >= 1 && line <= lines, 'a row stands on a line of its table');
    owes(value !== '', 'a row states something');
  }
}

/** What schedulers say, as text and as JSON. */
export const schedulerParsers: readonly FuzzedParser[] = [
  textParser('host-list', text => {
    const expanded = expandHostList(text.trim(), mostNames);
    if (!expanded.ok) return !/unexpected|ends inside/.test(expanded.message);
    const { names } = expanded;
    owes(names.length <= mostNames, 'no more names than the limit');
    const again = expandHostList(compressHostList(names), mostNames);
    owes(
      again.ok && again.names.toSorted().join() === names.toSorted().join(),
      'a host list reads as it was written',
    );
    return true;
  }),
  textParser('sacct', text => {
    const { rows } = parseSacct(text, dating);
    checkRows(rows, text.split('\n').length);
    return rows.length > 0;
  }),
  textParser('scontrol', text => {
    const { rows } = parseScontrol(text, dating);
    checkRows(rows, text.split('\n').length);
    owes(nameAsAccounted(rows, text).length === rows.length, 'naming loses no row');
    return rows.length > 0;
  }),
  textParser('scontrol-reservations', text => {
    const found = parseReservations(text, dating);
    owes(found.length <= text.split('\n').length, 'a line is one reservation');
    return found.length > 0 || text.includes('ReservationName=');
  }),
  textParser(
    'slurm-json',
    text => {
      const table = parseSavedAnswer(text, dating, { from: 0n, to: 2n ** 62n });
      if (table === null) return false;
      checkRows(table.rows, text.split('\n').length + table.rows.length);
      return true;
    },
    'json',
  ),
  jsonReader('slurmrestd-paths', value => {
    const chosen = choosePaths(value, null);
    return chosen.ok && choosePaths(value, 'v0.0.40') !== null;
  }),
];
