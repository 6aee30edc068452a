import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, matchAt } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { type Read, readMonthName, type WallStamp } from '../time-stamps.ts';

const level = /\] \[[A-Z]{1,10}\] (?:\[tid \d{1,10}\] )?/y;

/** The fabric manager's log: `[Nov 30 2026 12:03:41] [ERROR] [tid 1803] detected NVSwitch ...`, in local time. */
export const fabricManager: LineFormat = {
  name: 'fabric-manager',
  origin: 'kernel',
  fits: line => headOf(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const head = headOf(line);
    if (head === null) return null;
    return {
      ...bareLine,
      instant: dateStamp(head.read.stamp, dating),
      program: 'nv-fabricmanager',
      messageAt: head.end,
    };
  },
};

function headOf(line: string): { read: Read<WallStamp>; end: number } | null {
  if (line[0] !== '[') return null;
  const read = readMonthName(line, 1);
  if (read === null || read.stamp.year === null) return null;
  const match = matchAt(level, line, read.end);
  return match === null ? null : { read, end: read.end + match[0].length };
}
