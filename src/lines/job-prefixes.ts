import { matchAt } from './line-prefixes.ts';
import { type Read, readGlog, readIso, readMonthName, readUsDate, type WallStamp } from './time-stamps.ts';

/** What one prefix of a line of job text says. */
export interface JobPrefix {
  readonly end: number;
  readonly host?: string;
  readonly program?: string;
  readonly pid?: number;
  readonly rank?: number;
  readonly task?: number;
  readonly gpu?: number;
  readonly stamp?: WallStamp;
  /** Whether only launchers, frameworks and libraries of a job write such a prefix. */
  readonly ofJob: boolean;
}

/** Reads one kind of prefix at a place in the line. Sticky and bounded, like every reader of stamps. */
export type PrefixReader = (line: string, at: number) => JobPrefix | null;

const srunLabel = / {0,6}(\d{1,7}): /y;

/** `7: `, ` 7: `: the label of `srun -l`, a task. Only where a line begins. */
const readSrunLabel: PrefixReader = (line, at) => {
  const match = at === 0 ? matchAt(srunLabel, line, at) : null;
  return match === null ? null : { end: at + match[0].length, task: Number(match[1]), ofJob: true };
};

const mpiTag = /\[\d{1,9},(\d{1,7})\]<(?:stdout|stderr|stddiag)>:? ?/y;

/** `[1,12]<stderr>:`: Open MPI's tagged output, job and rank. */
const readMpiTag: PrefixReader = (line, at) => {
  const match = matchAt(mpiTag, line, at);
  return match === null ? null : { end: at + match[0].length, rank: Number(match[1]), ofJob: true };
};

const rankTag = /\[[Rr]ank:? ?(\d{1,7})\]:? ?/y;

/** `[rank7]:`, `[Rank 7]`. */
const readRankTag: PrefixReader = (line, at) => {
  const match = matchAt(rankTag, line, at);
  return match === null ? null : { end: at + match[0].length, rank: Number(match[1]), ofJob: true };
};

const groupTag = /\[PG (?:ID )?[^\]]{1,200} Rank (\d{1,7})\] ?/y;

/** `[PG ID 0 PG GUID 0(default_pg) Rank 7]`: a global rank in the default group only. */
const readGroupTag: PrefixReader = (line, at) => {
  const match = matchAt(groupTag, line, at);
  if (match === null) return null;
  const end = at + match[0].length;
  return match[0].includes('(default_pg)')
    ? { end, rank: Number(match[1]), ofJob: true }
    : { end, ofJob: true };
};

const torchrunTag = /\[[a-z_]{1,32}\d{1,4}\]: ?/y;

/** `[default3]:`: torchrun's role and local rank, which is no global rank. */
const readTorchrunTag: PrefixReader = (line, at) => {
  const match = matchAt(torchrunTag, line, at);
  return match === null ? null : { end: at + match[0].length, ofJob: true };
};

const nccl =
  /([A-Za-z0-9][A-Za-z0-9._-]{0,254}):(\d{1,10}):\d{1,10} (?:\[(-?\d{1,4})\] {0,2})?(?:\d{1,10}\.\d{1,9} )?(?:[\w./-]{1,200}:\d{1,6} )?NCCL (?:[A-Z]{1,9} )?/y;

/** `node-02:1234:1300 [3] NCCL INFO `: host, process, thread and local GPU of whoever writes. */
const readNccl: PrefixReader = (line, at) => {
  const match = matchAt(nccl, line, at);
  const [whole = '', host = '', pid, gpu] = match ?? [];
  if (match === null) return null;
  const prefix = { end: at + whole.length, host, pid: Number(pid), program: 'nccl', ofJob: true };
  return gpu === undefined || gpu.startsWith('-') ? prefix : { ...prefix, gpu: Number(gpu) };
};

const ray = /\((?:[\w.<>:-]{1,120} )?pid=(\d{1,10})(?:, ip=([\w.:-]{1,64}))?\) ?/y;

/** `(TrainWorker pid=1234, ip=10.0.0.3) `, `(pid=1234) `: Ray's driver shows the output of its workers. */
const readRay: PrefixReader = (line, at) => {
  const match = matchAt(ray, line, at);
  if (match === null) return null;
  const prefix = { end: at + match[0].length, pid: Number(match[1]), ofJob: true };
  return match[2] === undefined ? prefix : { ...prefix, host: match[2] };
};

const lsf = /<<[A-Za-z][\w.-]{0,254}>> ?/y;

/** `<<node-03>> `: LSF's blaunch shows where a line came from, in what the job itself could print as well. */
const readLsf: PrefixReader = (line, at) => {
  const match = at === 0 ? matchAt(lsf, line, at) : null;
  return match === null ? null : { end: match[0].length, ofJob: true };
};

const mpiProcess = /\[([A-Za-z][\w.-]{0,254}):(\d{1,10})\] (?=\*\*\*)/y;

/** `[node-03:4711] *** Process received signal ***`. */
const readMpiProcess: PrefixReader = (line, at) => {
  const match = matchAt(mpiProcess, line, at);
  const host = match?.[1];
  if (match === null || host === undefined) return null;
  return { end: at + match[0].length, host, pid: Number(match[2]), ofJob: true };
};

const launcher =
  /(srun|sbatch|salloc|slurmstepd|slurmd|slurmctld|prterun|mpirun|orterun|pyxis|enroot)(?:-[\w.-]{1,64})?: /y;
const cancelled = 'CANCELLED AT ';

/** `srun: error: ...`, `slurmstepd: error: *** STEP 7.0 ON node-01 CANCELLED AT 2026-11-30T12:03:41 ...`. */
const readLauncher: PrefixReader = (line, at) => {
  const match = matchAt(launcher, line, at);
  const program = match?.[1];
  if (match === null || program === undefined) return null;
  const end = at + match[0].length;
  const said = line.slice(end, end + 400).indexOf(cancelled);
  const read = said < 0 ? null : readIso(line, end + said + cancelled.length);
  return read === null ? { end, program, ofJob: true } : { end, program, stamp: read.stamp, ofJob: true };
};

const glogPlace = / {1,8}(?:\d{1,20} )?[^\s\]]{1,200}:\d{1,6}\] ?/y;

/** `[E1130 12:03:41.123456789 ProcessGroupNCCL.cpp:616] ` and, without the bracket, glog's and abseil's own lines. */
const readGlogPrefix: PrefixReader = (line, at) => {
  const read = readGlog(line, line[at] === '[' ? at + 1 : at);
  const place = read === null ? null : matchAt(glogPlace, line, read.end);
  if (read === null || place === null) return null;
  return { end: read.end + place[0].length, stamp: read.stamp, ofJob: true };
};

const bracket = /\[(NeMo [A-Z] )?/y;
const bracketEnd = /[^\]]{0,200}\]:? ?/y;

/** `[2026-11-30 12:03:41] `, `[NeMo W 2026-11-30 12:03:41 megatron:93] `, `[11/30/2026-12:03:41] [INFO] `. */
const readBracketed: PrefixReader = (line, at) => {
  const open = matchAt(bracket, line, at);
  const read = open === null ? null : readNumeric(line, at + open[0].length);
  const close = read === null ? null : matchAt(bracketEnd, line, read.end);
  if (open === null || read === null || close === null) return null;
  const end = read.end + close[0].length;
  const leveled = matchAt(level, line, end);
  const ofJob = open[1] !== undefined || (leveled !== null && read.stamp.offset === null);
  return { end: end + (leveled?.[0].length ?? 0), stamp: read.stamp, ofJob };
};

const level =
  / ?(?:[-|:] ?)?\[?(?:TRACE|DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|SUCCESS)\]?:? {0,8}(?:[-|:] ?)?/y;
const levelBefore = /(?:DEBUG|INFO|WARNING|ERROR|CRITICAL|FATAL): ?(?=\d{4}-)/y;
/** Behind the stamp: a container runtime's stream, or TensorFlow's severity and place. */
const container = / (?:stdout|stderr) [FP] |: [IWEF] [^\s\]]{1,200}:\d{1,6}\] /y;

/** `2026-11-30 12:03:41,123 - INFO - `, `INFO:2026-11-30 12:03:41,123:`, `2026-11-30T12:03:41.1Z stderr F `. */
const readLogging: PrefixReader = (line, at) => {
  const before = matchAt(levelBefore, line, at);
  const read = readNumeric(line, at + (before?.[0].length ?? 0)) ?? readMonthName(line, at);
  if (read === null) return null;
  const { stamp, end } = read;
  const contained = matchAt(container, line, end);
  const leveled = contained === null ? matchAt(level, line, end) : null;
  // The kernel too begins lines with `WARNING:`: behind a stamp with an offset or without a year that says nothing.
  const naive = stamp.offset === null && stamp.year !== null;
  const ofPython = naive && line[end - 4] === ',';
  return {
    end: end + ((contained ?? leveled)?.[0].length ?? 0),
    stamp,
    ofJob: before !== null || contained !== null || ofPython || (naive && leveled !== null),
  };
};

const summaryTime = / {0,8}time {1,8}: (?=\d{4}-)/y;

/** `  time      : 2026-11-30_12:03:41`: a failure in torchrun's summary. */
const readSummaryTime: PrefixReader = (line, at) => {
  const match = matchAt(summaryTime, line, at);
  const read = match === null ? null : readIso(line, at + match[0].length);
  return match === null || read === null ? null : { end: at + match[0].length, stamp: read.stamp, ofJob: true };
};

const place = /\[[\w./<>-]{1,120}:\d{1,6}(?::[\w<>.]{1,80})?\] ?/y;

/** `[logging.py:96:log_dist] `: where in its code a framework logged. */
const readPlace: PrefixReader = (line, at) => {
  const match = matchAt(place, line, at);
  return match === null ? null : { end: at + match[0].length, ofJob: false };
};

function readNumeric(line: string, at: number): Read<WallStamp> | null {
  return readIso(line, at) ?? readUsDate(line, at);
}

/** In the order they are tried; prefixes stack, and the first to say a thing is believed. */
export const prefixReaders: readonly PrefixReader[] = [
  readSrunLabel,
  readMpiTag,
  readRankTag,
  readGroupTag,
  readGlogPrefix,
  readNccl,
  readTorchrunTag,
  readBracketed,
  readLauncher,
  readLogging,
  readMpiProcess,
  readRay,
  readLsf,
  readSummaryTime,
  readPlace,
];
