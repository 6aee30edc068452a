import type { BatchHeader } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import type { ParsedLine } from '../../lines/line.ts';
import type { Cut } from './cut-lines.ts';
import { lineDating } from './stream-dating.ts';

/** Prefixes stand at the beginning of a line. */
const prefixBytes = 1024;
/** How many lines of a batch are asked for their host. */
const hostSamples = 256;
/** How many lines from an end are asked for a stamp. */
const stampSamples = 64;

type Stream = Pick<BatchHeader, 'format' | 'dating' | 'stream'>;

/** Hosts named by lines spread evenly over a batch: each proves that its node has lines here. */
export function hostsIn(cut: Cut, stream: Stream): ReadonlySet<string> {
  const text = textOf(cut);
  const step = Math.max(1, Math.floor((cut.ownTo - cut.ownFrom) / hostSamples));
  const hosts = new Set<string>();
  for (let at = cut.ownFrom; at < cut.ownTo; ) {
    const end = endOfLine(text, at);
    const { host } = prefixesAt(text, at, end, stream);
    if (host !== null) hosts.add(host);
    const next = end + 1 < at + step ? endOfLine(text, at + step - 1) : end;
    at = next + 1;
  }
  return hosts;
}

/** The first dated stamp among a batch's first lines, or null. */
export function firstInstant(cut: Cut, stream: Stream): Instant | null {
  const text = textOf(cut);
  let at = cut.ownFrom;
  for (let lines = 0; lines < stampSamples && at < cut.ownTo; lines++) {
    const end = endOfLine(text, at);
    const { instant } = prefixesAt(text, at, end, stream);
    if (instant !== null && instant.nanos !== null) return instant;
    at = end + 1;
  }
  return null;
}

/** The last dated stamp among a batch's last lines, or null. */
export function lastInstant(cut: Cut, stream: Stream): Instant | null {
  const text = textOf(cut);
  let end = cut.ownTo;
  for (let lines = 0; lines < stampSamples && end > cut.ownFrom; lines++) {
    const feed = end >= 2 ? text.lastIndexOf(10, end - 2) : -1;
    const start = Math.max(feed + 1, cut.ownFrom);
    const { instant } = prefixesAt(text, start, end, stream);
    if (instant !== null && instant.nanos !== null) return instant;
    end = start;
  }
  return null;
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
