import type { ParsedLine } from './line.ts';
import { readKernelClock } from './time-stamps.ts';

/** A line that says nothing before its message. */
export const bareLine: ParsedLine = {
  instant: null,
  host: null,
  program: null,
  pid: null,
  rank: null,
  task: null,
  gpu: null,
  messageAt: 0,
};

/** Runs a sticky, bounded expression at a place in the line. */
export function matchAt(expression: RegExp, line: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(line);
}

/** Where the text goes on after blanks. */
export function skipBlanks(line: string, at: number): number {
  let next = at;
  while (line[next] === ' ' || line[next] === '\t') next += 1;
  return next;
}

const level = /<\d{1,3}>/y;

/** `<6>`, `<30>`: a syslog priority, as dmesg -r and syslog on the wire write it. */
export function skipPriority(line: string, at: number): number {
  return at + (matchAt(level, line, at)?.[0].length ?? 0);
}

const facility =
  /(?:kern|user|daemon|syslog|local[0-7]) {0,6}: ?(?:emerg|alert|crit|err|error|warn|warning|notice|info|debug) {0,6}: {0,3}/y;

/** `kern  :warn  : `: facility and level in words, as dmesg -x writes them. */
export function skipFacility(line: string, at: number): number {
  return at + (matchAt(facility, line, at)?.[0].length ?? 0);
}

const caller = /\[ {0,8}[TC]\d{1,10}\] ?/y;

/** `[ T1946] `: the thread or processor that newer kernels add to their own stamp. */
export function skipCaller(line: string, at: number): number {
  return at + (matchAt(caller, line, at)?.[0].length ?? 0);
}

/** Kernel stamp and caller that a syslog daemon left in front of the message. */
export function skipKernelClock(line: string, at: number): number {
  const clock = readKernelClock(line, at);
  return clock === null ? at : skipCaller(line, skipBlanks(line, clock.end));
}

const tag = /([^\s:[\]]{1,255})(?:\[(\d{1,10})\])?: ?/y;

export interface Tag {
  readonly program: string;
  readonly pid: number | null;
  readonly end: number;
}

/** `kernel: `, `slurmd[812]: `: who wrote a syslog message. */
export function readTag(line: string, at: number): Tag | null {
  const match = matchAt(tag, line, at);
  const program = match?.[1];
  if (match === null || program === undefined) return null;
  return { program, pid: match[2] === undefined ? null : Number(match[2]), end: at + match[0].length };
}

const word = /([^\s:[\]{}"]{1,255}) /y;

/** The host field of a syslog line: its host is null where `-` stands. */
export function readHost(
  line: string,
  at: number,
): { readonly host: string | null; readonly end: number } | null {
  const match = matchAt(word, line, at);
  const host = match?.[1];
  if (match === null || host === undefined) return null;
  return { host: host === '-' ? null : host, end: at + match[0].length };
}
