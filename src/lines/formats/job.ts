import { type JobPrefix, prefixReaders } from '../job-prefixes.ts';
import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { bareLine, skipBlanks } from '../line-prefixes.ts';
import { dateStamp } from '../stamp-dating.ts';
import type { WallStamp } from '../time-stamps.ts';

/**
 * Output of a job, as launchers and libraries label it. Labels stack: `12: [rank12]:[E1130 12:03:41.123456789
 * ProcessGroupNCCL.cpp:616] ...`, `3: node-02:1234:1300 [3] NCCL INFO ...`. A `0: [rank3]:` line is task 0, rank 3.
 */
export const job: LineFormat = {
  name: 'job',
  origin: 'job',
  fits(line) {
    const { ofJob, end } = readPrefixes(line);
    return ofJob || hasShape(line, end);
  },
  parse(line: string, dating: LineDating): ParsedLine | null {
    const { stamp, end, host, program, pid, rank, task, gpu } = readPrefixes(line);
    return {
      ...bareLine,
      instant: stamp === null ? null : dateStamp(stamp, dating, { whose: whoseClock(task, rank, host) }),
      host,
      program,
      pid,
      rank,
      task,
      gpu,
      messageAt: end,
    };
  },
};

interface Prefixes {
  readonly stamp: WallStamp | null;
  readonly host: string | null;
  readonly program: string | null;
  readonly pid: number | null;
  readonly rank: number | null;
  readonly task: number | null;
  readonly gpu: number | null;
  readonly end: number;
  readonly ofJob: boolean;
}

const nothing: Prefixes = {
  stamp: null,
  host: null,
  program: null,
  pid: null,
  rank: null,
  task: null,
  gpu: null,
  end: 0,
  ofJob: false,
};

/** Labels beyond this many are taken for the message. */
const maxPrefixes = 10;

function readPrefixes(line: string): Prefixes {
  let known = nothing;
  for (let count = 0; count < maxPrefixes; count += 1) {
    const next = readNext(line, known.end);
    if (next === null) break;
    known = {
      stamp: known.stamp ?? next.stamp ?? null,
      host: known.host ?? next.host ?? null,
      program: known.program ?? next.program ?? null,
      pid: known.pid ?? next.pid ?? null,
      rank: known.rank ?? next.rank ?? null,
      task: known.task ?? next.task ?? null,
      gpu: known.gpu ?? next.gpu ?? null,
      end: next.end,
      ofJob: known.ofJob || next.ofJob,
    };
  }
  return known;
}

function readNext(line: string, at: number): JobPrefix | null {
  const start = skipColours(line, at);
  const inked = skipColours(line, skipBlanks(line, start));
  for (const reader of prefixReaders) {
    const found = reader(line, start) ?? (inked === start ? null : reader(line, inked));
    if (found !== null) return found;
  }
  return null;
}

/** Terminal colours (`ESC[36m`) that rich loggers leave in files. */
function skipColours(line: string, at: number): number {
  let next = at;
  while (line.charCodeAt(next) === 27 && line[next + 1] === '[') {
    const end = line.indexOf('m', next);
    if (end < 0 || end - next > 16) return next;
    next = end + 1;
  }
  return next;
}

/** Ranks of one stream may run on different hosts; the launcher's label is on every line of its process. */
function whoseClock(task: number | null, rank: number | null, host: string | null): string | null {
  if (task !== null) return `task ${task}`;
  return rank === null ? host : `rank ${rank}`;
}

const shapes: readonly string[] = [
  'Traceback (most recent call last):',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:',
  'Root Cause (first observed failure):',
];
const progress = /^ ?iteration {1,8}\d{1,12}\/ {0,12}\d{1,12} \|/;
const frame = /^ {2}File "[^"]{1,300}", line \d{1,7}/;

/** Messages without a telling label that only a job writes. */
function hasShape(line: string, at: number): boolean {
  const message = line.slice(at, at + 400);
  return shapes.some(shape => message.startsWith(shape)) || progress.test(message) || frame.test(message);
}
