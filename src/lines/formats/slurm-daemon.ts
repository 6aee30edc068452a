import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, matchAt } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { type Read, readIso, type WallStamp } from '../time-stamps.ts';

const step = /\[\d{1,10}\.[A-Za-z0-9+]{1,16}\] /y;

/**
 * slurmctld, slurmd and slurmstepd: `[2026-11-30T12:03:41.123] error: Node node-03 not responding`, the last one with
 * its step (`[77.batch] `) after the stamp. Local time of the daemon's host.
 */
export const slurmDaemon: LineFormat = {
  name: 'slurm-daemon',
  origin: 'scheduler',
  fits: line => stampOf(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const read = stampOf(line);
    if (read === null) return null;
    const at = read.end + 2;
    const ofStep = matchAt(step, line, at);
    return {
      ...bareLine,
      instant: dateStamp(read.stamp, dating),
      program: ofStep === null ? null : 'slurmstepd',
      messageAt: at + (ofStep?.[0].length ?? 0),
    };
  },
};

function stampOf(line: string): Read<WallStamp> | null {
  // With a space for the `T` it would be a training framework's stamp.
  if (line[0] !== '[' || line[11] !== 'T') return null;
  const read = readIso(line, 1);
  return read !== null && read.stamp.offset === null && line.startsWith('] ', read.end) ? read : null;
}
