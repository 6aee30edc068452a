/** What a wall-clock reading means in a zone. */
export interface ZonedReading {
  readonly utcMs: number;
  /** How much later the reading may also be meant, where clocks were set back over it; else 0. */
  readonly repeatedMs: number;
}

const day = 86_400_000;
/** Zones change their offset at full quarters of an hour, so one look-up serves a quarter. */
const quarter = 900_000;
const maxCached = 20_000;

interface ZoneOffsets {
  readonly format: Intl.DateTimeFormat;
  readonly byQuarter: Map<number, number>;
}

const zones = new Map<string, ZoneOffsets>();

function zoneOffsets(zone: string): ZoneOffsets {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsets = { format, byQuarter: new Map<number, number>() };
  zones.set(zone, offsets);
  return offsets;
}

/** Whether the runtime knows a zone by this name (`Europe/Berlin`, `UTC`, `+02:00`). */
export function isZone(zone: string): boolean {
  try {
    zoneOffsets(zone);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds that a zone's clocks are ahead of UTC at an instant. */
function offsetAt({ format, byQuarter }: ZoneOffsets, utcMs: number): number {
  const start = Math.floor(utcMs / quarter) * quarter;
  const known = byQuarter.get(start);
  if (known !== undefined) return known;
  const read: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(start)) read[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - start;
  if (byQuarter.size >= maxCached) byQuarter.clear();
  byQuarter.set(start, offset);
  return offset;
}

/**
 * Reads a wall clock: `localMs` is the reading as if it were UTC. A reading that occurs twice is the earlier one; one
 * that clocks skipped is read with the offset from before the skip. Throws RangeError on an unknown zone: settings
 * are checked with `isZone` first.
 */
export function readingInZone(localMs: number, zone: string): ZonedReading {
  if (zone === 'UTC' || zone === 'Etc/UTC') return { utcMs: localMs, repeatedMs: 0 };
  const offsets = zoneOffsets(zone);
  const before = offsetAt(offsets, localMs - day);
  const after = offsetAt(offsets, localMs + day);
  if (before === after) return { utcMs: localMs - before, repeatedMs: 0 };
  const earlier = offsetAt(offsets, localMs - before) === before;
  const later = offsetAt(offsets, localMs - after) === after;
  if (earlier && later) return { utcMs: localMs - before, repeatedMs: before - after };
  return { utcMs: localMs - (later ? after : before), repeatedMs: 0 };
}
