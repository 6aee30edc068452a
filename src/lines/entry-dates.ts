import { type Instant, minute, type Nanos } from '../core/time.ts';
import type { LineDating } from './line.ts';
import { dateStamp } from './stamp-dating.ts';
import { readUsDate } from './time-stamps.ts';

const hour: Nanos = 60n * minute;
/** Clocks of management controllers are set by hand and drift. */
const drift = hour;
/** Where no zone is written, it may be any: the controller's own, seldom that of its host. */
const anyZone: Nanos = 14n * hour;

/**
 * The date that an entry of a machine's event log carries, as `ipmitool sel` writes it: `03/04/2026 | 11:05:01`,
 * `03/04/26 | 11:05:01 UTC`. Null where the text is no date.
 */
export function dateEntry(text: string, dating: LineDating): Instant | null {
  const [date = '', time = '', zone] = text.split(/[ |]+/);
  const full = /^\d\d\/\d\d\/\d\d$/.test(date) ? `${date.slice(0, 6)}20${date.slice(6)}` : date;
  const stamp = readUsDate(`${full} ${time}`, 0)?.stamp;
  if (stamp === undefined) return null;
  const isZoned = zone === 'UTC' || zone === 'GMT';
  const instant = dateStamp({ ...stamp, offset: isZoned ? 0 : null }, dating, { whose: 'entry' });
  return { ...instant, plusMinus: instant.plusMinus + (isZoned ? drift : anyZone) };
}
