import type { StateRow } from '../../core/batch.ts';
import type { Nanos, Window } from '../../core/time.ts';
import type { LineDating } from '../../lines/line.ts';
import { nodesOf, undated } from '../../lines/slurm/state-table.ts';
import { dateIso } from '../../lines/stamp-dating.ts';
import { timeOf } from './record-rows.ts';
import type { Maintenance } from './scheduler.ts';

const mostNodes = 100_000;
/** Words of a state that somebody planned. */
const planned =
  /^(?:MAINT|MAINTENANCE|REBOOT|REBOOT_ISSUED|REBOOT_REQUESTED|REBOOTED|POWERING_DOWN|POWERED_DOWN)\*?$/;

/**
 * Takes what was planned out of the state a node is in. The state's time is that of its reason, and a node that broke
 * first and was put under maintenance afterwards must not be excused by that: words of maintenance are dated by the
 * reservation that brought them, others stay undated.
 */
export function apartFromPlanned(
  rows: readonly StateRow[],
  reserved: ReadonlySet<string>,
  dating: LineDating,
): readonly StateRow[] {
  return rows.flatMap((row): readonly StateRow[] => {
    if (row.entity !== 'node' || row.field !== 'state') return [row];
    const words = row.value.split('+');
    const own = words.filter(word => !planned.test(word));
    const rest = words.filter(word => planned.test(word) && !(isMaintenance(word) && reserved.has(row.name)));
    return [
      ...(own.length === 0 ? [] : [{ ...row, value: own.join('+') }]),
      ...(rest.length === 0 ? [] : [{ ...row, value: rest.join('+'), instant: undated(dating, row.line) }]),
    ];
  });
}

function isMaintenance(word: string): boolean {
  return word.startsWith('MAINT');
}

/** Each node under maintenance inside the window, from when on it was. */
export function maintenanceRows(
  reservations: readonly Maintenance[],
  isWanted: (name: string) => boolean,
  window: Window | null,
  dating: LineDating,
): readonly StateRow[] {
  return reservations.flatMap((reservation, index): readonly StateRow[] => {
    if (!touches(reservation, window)) return [];
    const instant = instantOf(reservation.start, dating) ?? undated(dating, index + 1);
    return nodesOf(reservation.nodes, mostNodes)
      .filter(isWanted)
      .map(name => ({
        entity: 'node',
        name,
        node: name,
        field: 'state',
        value: 'MAINT',
        instant,
        line: index + 1,
        text: reservation.text,
      }));
  });
}

function touches({ start, end }: Maintenance, window: Window | null): boolean {
  if (window === null) return true;
  return (start === null || start < window.to) && (end === null || end > window.from);
}

function instantOf(nanos: Nanos | null, dating: LineDating) {
  return nanos === null ? null : dateIso(timeOf(Number(nanos / 1_000_000_000n), dating).text, dating);
}
