import type { Json } from '../json/value.ts';
import type { Datetime } from './calendar.ts';
import { firstMicros } from './calendar.ts';
import { readDateText, readDatetimeText } from './datetime-text.ts';
import type { Checked } from './problem.ts';
import { bad, good, impossibleDatetime, problems, unreadableDatetime } from './problem.ts';
import type { UnixReading } from './unix-time.ts';
import { fromUnixFloat, fromUnixInteger, fromUnixText } from './unix-time.ts';

/** Whether a datetime without offset is refused (`timezone_aware`) or read as UTC. */
export type NaiveDatetimes = 'refuse' | 'utc';

/** A datetime as pydantic's lax mode reads it: RFC 3339 and its kin, dates, and Unix times as number or text. */
export function checkDatetime(value: Json, naive: NaiveDatetimes): Checked<Datetime> {
  const read = readDatetime(value);
  if (!read.ok) return read;
  if (naive === 'refuse' && read.value.offsetSeconds === null) return bad(problems.naiveDatetime);
  return read.value.localMicros < firstMicros ? bad(impossibleDatetime('year 0 is out of range')) : read;
}

function readDatetime(value: Json): Checked<Datetime> {
  if (typeof value === 'string') return readText(value);
  if (typeof value === 'number') return fromNumber(fromUnixFloat(value));
  if (typeof value === 'bigint') {
    if (!Number.isFinite(Number(value))) return bad(problems.notADatetime);
    return fromNumber(fromUnixInteger(value, 0n));
  }
  return bad(problems.notADatetime);
}

function fromNumber(reading: UnixReading): Checked<Datetime> {
  return 'reason' in reading ? bad(impossibleDatetime(reading.reason)) : good(reading);
}

const encoder = new TextEncoder();

function readText(text: string): Checked<Datetime> {
  if (!text.isWellFormed()) return bad(problems.notUnicode);
  const bytes = encoder.encode(text);
  const datetime = readDatetimeText(bytes);
  if (datetime !== null) return good(datetime);
  const unix = fromUnixText(text);
  if (unix !== null && !('reason' in unix)) return good(unix);
  const date = readDateText(bytes);
  if ('micros' in date) return good({ localMicros: date.micros, offsetSeconds: null });
  const reason = unix !== null && !text.includes('.') ? unix.reason : date.reason;
  return bad(unreadableDatetime(reason));
}
