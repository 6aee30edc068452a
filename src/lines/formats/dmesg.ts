import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import {
  bareLine,
  matchAt,
  readHost,
  skipBlanks,
  skipCaller,
  skipFacility,
  skipPriority,
} from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import { readKernelClock } from '../time-stamps.ts';

const hostLabel = /([A-Za-z0-9][A-Za-z0-9._-]{0,254}): (?=(?:<\d{1,3}>)?\[ {0,10}\d)/y;
const kernelTag = /kernel: /y;

/**
 * dmesg with the kernel's own clock: `[12345.678901] NVRM: ...`, also with `<6>`, `kern  :warn  : `, `node-01: ` or a
 * caller, and as `journalctl -o short-monotonic` writes it, with host and `kernel:` after the stamp.
 */
export const dmesg: LineFormat = {
  name: 'dmesg',
  origin: 'kernel',
  fits: line => startOf(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const start = startOf(line);
    if (start === null) return null;
    const clock = readKernelClock(line, start.at);
    if (clock === null) return null;
    const afterClock = skipCaller(line, skipBlanksOnce(line, clock.end));
    const named = readHost(line, afterClock);
    const journal = named !== null && matchAt(kernelTag, line, named.end) !== null ? named : null;
    const host = start.host ?? journal?.host ?? null;
    return {
      ...bareLine,
      instant: dateStamp(clock.stamp, dating, { whose: host }),
      host,
      program: 'kernel',
      messageAt: journal === null ? afterClock : journal.end + 'kernel: '.length,
    };
  },
};

/** Stack traces indent their message: only the one separating blank is not part of it. */
function skipBlanksOnce(line: string, at: number): number {
  const next = skipBlanks(line, at);
  return line[next] === '[' ? next : Math.min(at + 1, next);
}

function startOf(line: string): { readonly host: string | null; readonly at: number } | null {
  const label = matchAt(hostLabel, line, 0);
  const host = label?.[1] ?? null;
  // `7: [12.3] ...` is the label of a launcher's task, and its text is the job's.
  if (host !== null && /^\d+$/.test(host)) return null;
  const at = skipFacility(line, skipPriority(line, label?.[0].length ?? 0));
  return readKernelClock(line, at) === null ? null : { host, at };
}
