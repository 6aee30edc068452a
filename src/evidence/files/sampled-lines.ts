import type { BatchHeader } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { lineFormat, parseLine } from '../../lines/formats/line-formats.ts';
import type { ParsedLine } from '../../lines/line.ts';
import type { Cut } from './cut-lines.ts';
import { isBlankLine, isComplaint, isKernel, isOfLog } from './log-shape.ts';
import { lineDating } from './stream-dating.ts';

/** Prefixes stand at the beginning of a line. */
const prefixBytes = 1024;
/** How many lines of a batch are asked for their host; more where the batch holds the time that is judged. */
const hostSamples = 256;
const denseSamples = 4096;
/** How many lines from an end are asked for a stamp. */
const stampSamples = 64;

type Stream = Pick<BatchHeader, 'origin' | 'format' | 'dating' | 'stream'>;

/**
 * Whose lines a node's own log holds, the best proof last: nobody's; bare text of a log that has neither stamps nor
 * writers; other hosts'; its own without its kernel's; its kernel's.
 */
export const voices = ['nobody', 'bare', 'others', 'own', 'kernel'] as const;
export type Voice = (typeof voices)[number];

/** From when to when the lines of a log, or of a host in it, were written, as far as seen; null: no line says. */
export interface Reach {
  readonly first: Instant | null;
  readonly last: Instant | null;
}

/** Adds the hosts named by lines spread evenly over a batch: each proves that its node has lines here. */
export function addHosts(hosts: Map<string, Reach>, cut: Cut, stream: Stream, dense: boolean): void {
  for (const line of sampledLines(cut, dense ? denseSamples : hostSamples)) {
    const parsed = logLine(line, stream);
    if (parsed === null || parsed.host === null) continue;
    hosts.set(parsed.host, extended(hosts.get(parsed.host), parsed.instant));
  }
}

function extended(known: Reach | undefined, instant: Instant | null): Reach {
  const { first, last } = known ?? { first: null, last: null };
  if (instant === null || instant.nanos === null) return { first, last };
  return {
    first: first?.nanos == null || instant.nanos < first.nanos ? instant : first,
    last: last?.nanos == null || instant.nanos > last.nanos ? instant : last,
  };
}

/** Whose lines are among those spread evenly over a batch of a node's own log; stops where nothing more can be learnt. */
export function voiceIn(cut: Cut, stream: Stream, isOwn: (host: string) => boolean): Voice {
  let voice: Voice = 'nobody';
  for (const line of sampledLines(cut, denseSamples)) {
    if (isBlankLine(line)) continue;
    const parsed = logLine(line, stream);
    if (parsed === null) voice = louder(voice, isComplaint(line) ? 'nobody' : 'bare');
    else if (parsed.host !== null && !isOwn(parsed.host)) voice = louder(voice, 'others');
    else if (isKernel(parsed.program)) return 'kernel';
    else if (stream.origin === 'kernel') voice = 'own';
    else return 'own';
  }
  return voice;
}

export function louder(a: Voice, b: Voice): Voice {
  return voices.indexOf(a) < voices.indexOf(b) ? b : a;
}

/** Whether a batch's own part holds more than blanks and zero bytes. */
export function holdsText({ bytes, ownFrom, ownTo }: Cut): boolean {
  for (let at = ownFrom; at < ownTo; at++) if (!isBlank(bytes[at] ?? 0)) return true;
  return false;
}

function isBlank(byte: number): boolean {
  return byte <= 0x20;
}

/** The lines at places spread evenly over a batch's own part; blank ones give their place to what follows. */
function* sampledLines({ bytes, ownFrom, ownTo }: Cut, samples: number): Generator<string, void, void> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, ownTo);
  const step = Math.max(1, Math.floor((ownTo - ownFrom) / samples));
  for (let at = ownFrom; at < ownTo; ) {
    while (at < ownTo && isBlank(bytes[at] ?? 0)) at += 1;
    let start = Math.max(ownFrom, at === 0 ? 0 : text.lastIndexOf(10, at - 1) + 1);
    // After a crash a line goes on behind the zero bytes that the one before it became.
    while (bytes[start] === 0 && start < at) start += 1;
    const end = endOfLine(text, at);
    yield text.toString('utf8', start, Math.min(end, start + prefixBytes));
    const next = Math.max(end + 1, at + step);
    at = next >= ownTo ? ownTo : Math.max(end + 1, text.lastIndexOf(10, next - 1) + 1);
  }
}

/** What a line says before its message; null for a blank one and, in a kernel log, for one without stamp and writer. */
function logLine(line: string, { origin, format, dating, stream }: Stream): ParsedLine | null {
  if (isBlankLine(line)) return null;
  const own = lineDating(dating, stream);
  const parsed = parseLine(format, line, own);
  if (origin !== 'kernel' || isOfLog(line)) return parsed;
  return lineFormat(format)?.parse(line, own) ?? null;
}

/** The first dated stamp among a batch's first lines that `isOwn` of their host, or null. */
export function firstInstant(cut: Cut, stream: Stream, isOwn: (host: string) => boolean): Instant | null {
  const text = textOf(cut);
  let at = cut.ownFrom;
  for (let lines = 0; lines < stampSamples && at < cut.ownTo; ) {
    const end = endOfLine(text, at);
    if (!isBlankPart(text, at, end)) {
      const instant = stampOf(prefixesAt(text, at, end, stream), isOwn);
      if (instant !== null) return instant;
      lines += 1;
    }
    at = end + 1;
  }
  return null;
}

/** The last dated stamp among a batch's last lines that `isOwn` of their host, or null. */
export function lastInstant(cut: Cut, stream: Stream, isOwn: (host: string) => boolean): Instant | null {
  const text = textOf(cut);
  let end = cut.ownTo;
  for (let lines = 0; lines < stampSamples && end > cut.ownFrom; ) {
    const feed = end >= 2 ? text.lastIndexOf(10, end - 2) : -1;
    const start = Math.max(feed + 1, cut.ownFrom);
    if (!isBlankPart(text, start, end)) {
      const instant = stampOf(prefixesAt(text, start, end, stream), isOwn);
      if (instant !== null) return instant;
      lines += 1;
    }
    end = start;
  }
  return null;
}

function stampOf({ host, instant }: ParsedLine, isOwn: (host: string) => boolean): Instant | null {
  if (instant === null || instant.nanos === null) return null;
  return host === null || isOwn(host) ? instant : null;
}

function isBlankPart(text: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isBlank(text[at] ?? 0)) return false;
  return true;
}

function textOf(cut: Cut): Buffer {
  return Buffer.from(cut.bytes.buffer, cut.bytes.byteOffset, cut.ownTo);
}

function endOfLine(text: Buffer, at: number): number {
  const feed = text.indexOf(10, at);
  return feed < 0 ? text.length : feed;
}

function prefixesAt(text: Buffer, from: number, to: number, { format, dating, stream }: Stream): ParsedLine {
  return parseLine(
    format,
    text.toString('utf8', from, Math.min(to, from + prefixBytes)),
    lineDating(dating, stream),
  );
}
