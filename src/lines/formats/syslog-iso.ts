import type { LineFormat } from '../line.ts';
import { readHost, readTag, skipPriority } from '../line-prefixes.ts';
import { readIso } from '../time-stamps.ts';
import { headedFormat, type LineHead } from './syslog.ts';

/**
 * Syslog files with ISO stamps, as rsyslog and `journalctl -o short-iso` write them:
 * `2026-11-30T12:03:41.123456+00:00 node-01 kernel: ...`. Journal entries are decoded to this form.
 */
export const syslogIso: LineFormat = headedFormat('syslog-iso', headOf);

function headOf(line: string): LineHead | null {
  const at = skipPriority(line, 0);
  const read = readIso(line, at);
  // An offset is demanded: a stamp without one, followed by words, is any program's log.
  if (read === null || read.stamp.offset === null || line[at + 10] !== 'T' || line[read.end] !== ' ')
    return null;
  const named = readHost(line, read.end + 1);
  if (named === null || readTag(line, named.end) === null) return null;
  return { read, ...named };
}
