import type { LineFormat } from '../line.ts';
import { matchAt, readHost, readTag } from '../line-prefixes.ts';
import { type Read, readEpoch, readIso, type WallStamp } from '../time-stamps.ts';
import { headedFormat, type LineHead } from './syslog.ts';

/**
 * Lines of `journalctl -o short-full` (`Mon 2026-11-30 12:03:41 UTC node-01 kernel: ...`) and `-o short-unix`
 * (`1796040221.123456 node-01 kernel: ...`). Zones by other names than UTC and GMT are those of whoever asked.
 */
export const journalShort: LineFormat = headedFormat('journal-short', headOf);

const weekday = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/y;
const zone = / (?:[A-Z]{2,5} |[+-]\d\d(?:\d\d)? )/y;

function headOf(line: string): LineHead | null {
  const stamped = readFull(line) ?? readUnix(line);
  if (stamped === null) return null;
  const named = readHost(line, stamped.hostAt);
  const tag = named === null ? null : readTag(line, named.end);
  if (named === null || tag === null) return null;
  // Programs, too, stamp what they print with seconds.
  if (stamped.bare && tag.program !== 'kernel' && tag.pid === null) return null;
  return { read: stamped.read, ...named };
}

interface Stamped {
  readonly read: Read<WallStamp>;
  readonly hostAt: number;
  /** Whether it is a number and no date. */
  readonly bare: boolean;
}

/** A zone is demanded: it is what the journal always writes there. */
function readFull(line: string): Stamped | null {
  const day = matchAt(weekday, line, 0);
  const read = day === null ? null : readIso(line, day[0].length);
  if (read === null) return null;
  if (read.stamp.offset !== null)
    return line[read.end] === ' ' ? { read, hostAt: read.end + 1, bare: false } : null;
  const named = matchAt(zone, line, read.end);
  return named === null ? null : { read, hostAt: read.end + named[0].length, bare: false };
}

function readUnix(line: string): Stamped | null {
  const read = readEpoch(line, 0);
  return read === null || line[read.end] !== ' ' ? null : { read, hostAt: read.end + 1, bare: true };
}
