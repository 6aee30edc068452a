import type { FileHandle } from 'node:fs/promises';
import type { Dating } from '../../core/batch.ts';
import { minute, type Nanos, type Window } from '../../core/time.ts';
import { countNewlines } from '../../lines/count-newlines.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { lineDating } from './stream-dating.ts';

/** The part of a file that can hold lines of a window. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
  /** Number of the line at `from`. */
  readonly firstLine: number;
}

/** A line with a stamp, and where it begins. */
interface Stamped {
  readonly at: number;
  readonly nanos: Nanos;
}

const probeBytes = 64 * 1024;
const blockBytes = 1024 * 1024;
const samples = 33;
/** Streams of several writers swap lines; a file with more disorder than this is not searched. */
const disorder = minute;
/** Read beyond the window, for clocks that differ and lines that were written late. */
const margin = 5n * minute;

/**
 * Finds by bisection where a time-ordered file enters and leaves a window, some minutes wide of both. Starts at the
 * last stamped line before the window and ends at the first one after it, so that lines without stamp stay with what
 * they follow. Null where stamps are missing or in disorder: then the file is to be read whole.
 */
export async function findRange(
  handle: FileHandle,
  bytes: number,
  window: Window,
  format: string,
  dating: Dating,
  signal: AbortSignal,
): Promise<FileRange | null> {
  const probe = (at: number) => firstStamp(handle, at, bytes, format, dating);
  if (!(await isOrdered(probe, bytes))) return null;
  const from = (await lastBefore(probe, bytes, window.from - margin))?.at ?? 0;
  const to = (await firstAfter(probe, bytes, window.to + margin))?.at ?? bytes;
  const newlines = await newlinesBefore(handle, from, signal);
  return newlines === null ? null : { from, to: Math.max(from, to), firstLine: 1 + newlines };
}

type Probe = (at: number) => Promise<Stamped | null>;

async function isOrdered(probe: Probe, bytes: number): Promise<boolean> {
  let latest: Nanos | null = null;
  for (let sample = 0; sample < samples; sample++) {
    const stamped = await probe(Math.floor((bytes * sample) / samples));
    if (stamped === null || (latest !== null && stamped.nanos < latest - disorder)) return false;
    if (latest === null || stamped.nanos > latest) latest = stamped.nanos;
  }
  return true;
}

/** The last probed line stamped before `limit`; probes stand still where few lines carry stamps, which only reads more. */
async function lastBefore(probe: Probe, bytes: number, limit: Nanos): Promise<Stamped | null> {
  let best: Stamped | null = null;
  let low = 0;
  let high = bytes;
  while (high - low > probeBytes / 2) {
    const middle = Math.floor((low + high) / 2);
    const stamped = await probe(middle);
    if (stamped !== null && stamped.nanos < limit) {
      best = stamped;
      low = Math.max(middle, stamped.at);
    } else high = middle;
  }
  return best;
}

async function firstAfter(probe: Probe, bytes: number, limit: Nanos): Promise<Stamped | null> {
  let best: Stamped | null = null;
  let low = 0;
  let high = bytes;
  while (high - low > probeBytes / 2) {
    const middle = Math.floor((low + high) / 2);
    const stamped = await probe(middle);
    if (stamped === null || stamped.nanos <= limit) low = middle;
    else {
      best = stamped;
      high = middle;
    }
  }
  return best;
}

/** The first line that begins at or after `at` and carries a dated stamp, within one block. */
async function firstStamp(
  handle: FileHandle,
  at: number,
  bytes: number,
  format: string,
  dating: Dating,
): Promise<Stamped | null> {
  // One byte before, so that a line that begins exactly at `at` is seen to begin.
  const from = Math.max(0, at - 1);
  for (const size of [probeBytes, blockBytes]) {
    const block = Buffer.alloc(Math.min(size, bytes - from));
    const { bytesRead } = await handle.read(block, 0, block.length, from);
    const found = stampIn(block.subarray(0, bytesRead), at === 0, format, dating);
    if (found !== null) return { at: from + found.at, nanos: found.nanos };
  }
  return null;
}

function stampIn(block: Buffer, atStart: boolean, format: string, dating: Dating): Stamped | null {
  let lineStart = atStart ? 0 : block.indexOf(10) + 1;
  if (!atStart && lineStart === 0) return null;
  for (;;) {
    const feed = block.indexOf(10, lineStart);
    if (feed < 0) return null;
    const line = block.toString('utf8', lineStart, Math.min(feed, lineStart + 1024));
    const nanos = parseLine(format, line, lineDating(dating, 'probe')).instant?.nanos ?? null;
    if (nanos !== null) return { at: lineStart, nanos };
    lineStart = feed + 1;
  }
}

/** References quote line numbers, so the lines skipped have to be counted; null where the deadline came first. */
async function newlinesBefore(handle: FileHandle, to: number, signal: AbortSignal): Promise<number | null> {
  const block = new Uint8Array(Math.min(blockBytes, to));
  let count = 0;
  for (let at = 0; at < to; ) {
    if (signal.aborted) return null;
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, to - at), at);
    if (bytesRead === 0) return null;
    count += countNewlines(block, 0, bytesRead);
    at += bytesRead;
  }
  return count;
}
