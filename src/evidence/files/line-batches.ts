import type { BatchHeader, LineBatch } from '../../core/batch.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import type { BufferPool } from '../buffers.ts';
import type { ByteReader, CutShort } from './byte-reader.ts';
import { type Cut, type CutSettings, cutLines } from './cut-lines.ts';
import { mapLines } from './map-lines.ts';
import { lineDating } from './stream-dating.ts';

/** What was read of one stream of lines. */
export interface LinesRead {
  readonly lines: number;
  readonly bytes: number;
  readonly ending: CutShort | null;
  /** Hosts that sampled lines name, where the stream is shared by several. */
  readonly hosts: ReadonlySet<string>;
}

/** How many lines of a batch are asked for their host. */
const sampledLines = 256;

/** Cuts one stream into batches and closes it. Journal exports in JSON are decoded to one line of text an entry. */
export async function* lineBatches(
  reader: ByteReader,
  header: Omit<BatchHeader, 'sequence' | 'firstLine'>,
  firstLine: number,
  cut: CutSettings,
  buffers: BufferPool,
): AsyncGenerator<LineBatch, LinesRead, void> {
  const decoded = header.format === 'journald' ? mapLines(reader, entryText) : reader;
  const hosts = new Set<string>();
  const shared = header.node === null && header.origin !== 'job';
  let sequence = 0;
  let lines = 0;
  let bytes = 0;
  try {
    for await (const part of cutLines(decoded, cut, buffers, firstLine)) {
      const { length, ownFrom, ownTo } = part;
      lines += part.lines;
      bytes += ownTo - ownFrom;
      if (shared) for (const host of sampleHosts(part, header)) hosts.add(host);
      yield {
        kind: 'lines',
        header: { ...header, sequence, firstLine: part.firstLine },
        bytes: part.bytes,
        length,
        ownFrom,
        ownTo,
      };
      sequence += 1;
    }
    return { lines, bytes, ending: decoded.cutShort(), hosts };
  } finally {
    await decoded.close();
  }
}

function entryText(line: string): string | null {
  return line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? null) : null;
}

/** Hosts named by lines spread evenly over a batch: each proves that its node has lines here. */
function sampleHosts(cut: Cut, header: Omit<BatchHeader, 'sequence' | 'firstLine'>): ReadonlySet<string> {
  const { bytes, ownFrom, ownTo } = cut;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, ownTo);
  const dating = lineDating(header.dating, header.stream);
  const step = Math.max(1, Math.floor((ownTo - ownFrom) / sampledLines));
  const hosts = new Set<string>();
  for (let at = ownFrom; at < ownTo; ) {
    const feed = text.indexOf(10, at);
    const end = feed < 0 ? ownTo : feed;
    const { host } = parseLine(header.format, text.toString('utf8', at, Math.min(end, at + 1024)), dating);
    if (host !== null) hosts.add(host);
    const next = end + 1 < at + step ? text.indexOf(10, at + step - 1) : end;
    if (next < 0) break;
    at = next + 1;
  }
  return hosts;
}
