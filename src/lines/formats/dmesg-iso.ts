import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, matchAt, skipCaller, skipFacility } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { type Read, readIso, type WallStamp } from '../time-stamps.ts';

/**
 * `dmesg --time-format iso`: `2026-11-30T12:03:41,123456+00:00 NVRM: ...`; also in brackets behind facility and level
 * (`kern: warning: [2026-11-30T12:03:41.123456Z]: NVRM: ...`), as some appliance systems print it.
 */
export const dmesgIso: LineFormat = {
  name: 'dmesg-iso',
  origin: 'kernel',
  fits: line => stampOf(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const read = stampOf(line);
    if (read === null) return null;
    const instant = dateStamp(read.stamp, dating, { projected: true });
    return { ...bareLine, instant, program: 'kernel', messageAt: skipCaller(line, read.end) };
  },
};

// The comma with a `T` and an offset tells it from a syslog daemon's stamp and from Python's logging.
const shape = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{1,9}[+-]\d\d:\d\d /y;
const closing = /\]: ?/y;

function stampOf(line: string): Read<WallStamp> | null {
  const at = skipFacility(line, 0);
  if (line[at] === '[' && at > 0) {
    const read = readIso(line, at + 1);
    const close = read === null ? null : matchAt(closing, line, read.end);
    return read === null || close === null ? null : { stamp: read.stamp, end: read.end + close[0].length };
  }
  if (matchAt(shape, line, at) === null) return null;
  const read = readIso(line, at);
  return read === null ? null : { stamp: read.stamp, end: read.end + 1 };
}
