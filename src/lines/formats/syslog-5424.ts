import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, matchAt, skipKernelClock } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { readIso } from '../time-stamps.ts';

const header = /<\d{1,3}>1 (\S{1,40}) (\S{1,255}) (\S{1,48}) (\S{1,128}) \S{1,32} /y;

/** RFC 5424: `<2>1 2026-11-30T12:03:41.123456+00:00 node-01 kernel - - - NVRM: ...`. */
export const syslog5424: LineFormat = {
  name: 'syslog-5424',
  origin: 'kernel',
  fits: line => matchAt(header, line, 0) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const match = matchAt(header, line, 0);
    if (match === null) return null;
    const [whole, stamp = '', host = '-', program = '-', pid = '-'] = match;
    const read = readIso(stamp, 0);
    const known = host === '-' ? null : host;
    const body = skipStructuredData(line, whole.length);
    return {
      ...bareLine,
      instant:
        read === null || read.end !== stamp.length ? null : dateStamp(read.stamp, dating, { whose: known }),
      host: known,
      program: program === '-' ? null : program,
      pid: /^\d{1,10}$/.test(pid) ? Number(pid) : null,
      messageAt: program === 'kernel' ? skipKernelClock(line, body) : body,
    };
  },
};

/** Skips `-` or `[id name="value" ...]...`, where a backslash escapes quotes and brackets, and the byte order mark. */
function skipStructuredData(line: string, at: number): number {
  let next = at;
  if (line[next] === '-') next += 1;
  while (line[next] === '[') {
    const end = endOfElement(line, next);
    if (end === null) return at;
    next = end;
  }
  if (line[next] === ' ') next += 1;
  return line[next] === '\uFEFF' ? next + 1 : next;
}

function endOfElement(line: string, open: number): number | null {
  let quoted = false;
  for (let at = open; at < line.length; at += 1) {
    const character = line[at];
    if (character === '\\' && quoted) at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === ']' && !quoted) return at + 1;
  }
  return null;
}
