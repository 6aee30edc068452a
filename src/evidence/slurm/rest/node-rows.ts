import type { StateRow } from '../../../core/batch.ts';
import type { LineDating } from '../../../lines/line.ts';
import { recordRows, timeOf } from '../record-rows.ts';
import type { Maintenance } from '../scheduler.ts';
import { listOf, member, numberOf, stateOf, textOf } from './values.ts';

/** Facts of nodes (`/slurm/.../node/NAME` or `/nodes`). */
export function nodeRows(
  nodes: readonly unknown[],
  isWanted: (name: string) => boolean,
  dating: LineDating,
): readonly StateRow[] {
  return nodes.flatMap((node, index) => {
    const name = textOf(member(node, 'name'));
    if (name === '' || !isWanted(name)) return [];
    const state = stateOf(member(node, 'state'), member(node, 'state_flags'));
    const since = timeOf(numberOf(member(node, 'reason_changed_at')), dating).instant;
    const boot = timeOf(numberOf(member(node, 'boot_time')), dating);
    const daemon = timeOf(numberOf(member(node, 'slurmd_start_time')), dating);
    // Slurm sets state and reason together when it takes a node out of service.
    const outOfService = /DOWN|DRAIN|FAIL/.test(state);
    const plain = (key: string, field: string, path: string) => ({
      key,
      field,
      value: textOf(member(node, path)),
      instant: null,
    });
    return recordRows(
      { entity: 'node', name, node: name, line: index + 1 },
      [
        { key: 'State', field: 'state', value: state, instant: outOfService ? since : null },
        { key: 'Reason', field: 'reason', value: textOf(member(node, 'reason')), instant: since },
        { key: 'BootTime', field: 'boot_time', value: boot.text, instant: boot.instant },
        { key: 'SlurmdStartTime', field: 'slurmd_start_time', value: daemon.text, instant: daemon.instant },
        plain('Gres', 'gres', 'gres'),
        plain('GresUsed', 'gres_used', 'gres_used'),
        plain('NodeAddr', 'node_addr', 'address'),
        plain('NodeHostName', 'node_host_name', 'hostname'),
        plain('Comment', 'comment', 'comment'),
        plain('Extra', 'extra', 'extra'),
      ],
      dating,
    );
  });
}

/** Reservations for maintenance among all reservations. */
export function maintenanceOf(reservations: readonly unknown[], dating: LineDating): readonly Maintenance[] {
  return reservations.flatMap((reservation): readonly Maintenance[] => {
    const flags = listOf(member(reservation, 'flags')).map(textOf);
    const nodes = textOf(member(reservation, 'node_list'));
    if (!flags.includes('MAINT') || nodes === '') return [];
    const name = textOf(member(reservation, 'name'));
    const start = timeOf(numberOf(member(reservation, 'start_time')), dating);
    const end = timeOf(numberOf(member(reservation, 'end_time')), dating);
    const text = `ReservationName=${name} StartTime=${start.text} EndTime=${end.text} Nodes=${nodes} Flags=${flags.join(',')}`;
    return [{ name, nodes, start: start.nanos, end: end.nanos, text }];
  });
}
