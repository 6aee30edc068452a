import { datetimeOf, formatDatetime } from './pydantic/calendar.ts';
import type { EpochNanos } from './vocabulary.ts';

/** An instant as a datetime of the contract: UTC, cut to microseconds, `2026-09-09T12:00:00.250000Z`. */
export function datetimeToWire(instant: EpochNanos): string {
  return formatDatetime(datetimeOf(instant));
}
