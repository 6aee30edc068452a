import type { LineDating } from '../../../lines/line.ts';
import { dateIso } from '../../../lines/stamp-dating.ts';
import type { Maintenance } from '../scheduler.ts';

/** Reservations for maintenance as `scontrol -o show reservation` prints them, one a line. */
export function parseReservations(text: string, dating: LineDating): readonly Maintenance[] {
  return text.split('\n').flatMap((line): readonly Maintenance[] => {
    const values = new Map<string, string>();
    for (const word of line.trim().split(/\s+/)) {
      const at = word.indexOf('=');
      // The first of a key counts: what follows may be a user's text.
      if (at > 0 && !values.has(word.slice(0, at))) values.set(word.slice(0, at), word.slice(at + 1));
    }
    const name = values.get('ReservationName') ?? '';
    const nodes = values.get('Nodes') ?? '';
    const flags = (values.get('Flags') ?? '').split(',');
    if (name === '' || !flags.includes('MAINT') || nodes === '' || nodes === '(null)') return [];
    const time = (key: string) => dateIso(values.get(key) ?? '', dating)?.nanos ?? null;
    return [{ name, nodes, start: time('StartTime'), end: time('EndTime'), text: line.trim().slice(0, 4096) }];
  });
}
