import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, skipBlanks, skipCaller, skipFacility } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { type Read, readMonthName, type WallStamp } from '../time-stamps.ts';

/** `dmesg -T`: `[Mon Nov 30 12:03:41 2026] NVRM: ...`, in the zone of whoever ran it. */
export const dmesgLocal: LineFormat = {
  name: 'dmesg-local',
  origin: 'kernel',
  fits: line => stampOf(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const read = stampOf(line);
    if (read === null) return null;
    const afterStamp = read.end + 1;
    const next = skipBlanks(line, afterStamp);
    const messageAt = line[next] === '[' ? skipCaller(line, next) : Math.min(afterStamp + 1, next);
    const instant = dateStamp(read.stamp, dating, { projected: true });
    return { ...bareLine, instant, program: 'kernel', messageAt };
  },
};

const weekday = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) /;

function stampOf(line: string): Read<WallStamp> | null {
  const at = skipFacility(line, 0);
  // The weekday tells it from the fabric manager's log.
  if (line[at] !== '[' || !weekday.test(line.slice(at + 1, at + 5))) return null;
  const read = readMonthName(line, at + 1);
  return read !== null && read.stamp.year !== null && line[read.end] === ']' ? read : null;
}
