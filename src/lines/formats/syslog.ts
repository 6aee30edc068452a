import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, readHost, readTag, skipKernelClock, skipPriority } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { type Read, readMonthName, type WallStamp } from '../time-stamps.ts';

/** RFC 3164: `Nov 30 12:03:41 node-01 kernel: [  12.345] NVRM: ...`, with or without priority. No year, no zone. */
export const syslog: LineFormat = headedFormat('syslog', headOf);

/** Stamp and host that stand before the tag of a line. */
export interface LineHead {
  readonly read: Read<WallStamp>;
  readonly host: string | null;
  readonly end: number;
}

/** A kind of syslog file, of which only the head is its own. */
export function headedFormat(name: string, headOf: (line: string) => LineHead | null): LineFormat {
  return {
    name,
    origin: 'kernel',
    fits: line => headOf(line) !== null,
    parse(line: string, dating: LineDating): ParsedLine | null {
      const head = headOf(line);
      if (head === null) return null;
      return afterStamp(line, head.host, head.end, whose => dateStamp(head.read.stamp, dating, { whose }));
    },
  };
}

/** What follows host and stamp in every kind of syslog file: the tag, and the kernel's own stamp. */
export function afterStamp(
  line: string,
  host: string | null,
  at: number,
  date: (whose: string | null) => ParsedLine['instant'],
): ParsedLine {
  const tag = readTag(line, at);
  const body = tag?.end ?? at;
  return {
    ...bareLine,
    instant: date(host),
    host,
    program: tag?.program ?? null,
    pid: tag?.pid ?? null,
    messageAt: tag?.program === 'kernel' ? skipKernelClock(line, body) : body,
  };
}

function headOf(line: string): LineHead | null {
  const read = readMonthName(line, skipPriority(line, 0));
  if (read === null || line[read.end] !== ' ') return null;
  const named = readHost(line, read.end + 1);
  return named === null ? null : { read, ...named };
}
