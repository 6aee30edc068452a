import { datetimeOf, epochNanosOf, formatDatetime } from './pydantic/calendar.ts';
import { checkDatetime } from './pydantic/datetime.ts';
import type { EpochNanos } from './vocabulary.ts';

/** An instant as a datetime of the contract: UTC, cut to microseconds, `2026-09-09T12:00:00.250000Z`. */
export function datetimeToWire(instant: EpochNanos): string {
  return formatDatetime(datetimeOf(instant));
}

/** A datetime of the contract, offset required, as an instant; null where the text is none. */
export function datetimeFromWire(text: string): EpochNanos | null {
  const read = checkDatetime(text, 'refuse');
  return read.ok ? epochNanosOf(read.value) : null;
}
