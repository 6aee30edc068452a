import type { BatchHeader, LineBatch } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import type { BufferPool } from '../buffers.ts';
import type { ByteReader, CutShort } from './byte-reader.ts';
import { type CutSettings, cutLines } from './cut-lines.ts';
import { mapLines } from './map-lines.ts';
import { firstInstant, hostsIn, lastInstant } from './sampled-lines.ts';

/** What was read of one stream of lines. */
export interface LinesRead {
  readonly lines: number;
  readonly bytes: number;
  readonly ending: CutShort | null;
  /** First and last dated stamp, where lines near the ends have one. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** Hosts that sampled lines name, where the stream is shared by several. */
  readonly hosts: ReadonlySet<string>;
}

/** Cuts one stream into batches and closes it. Journal exports in JSON are decoded to one line of text an entry. */
export async function* lineBatches(
  reader: ByteReader,
  header: Omit<BatchHeader, 'sequence' | 'firstLine'>,
  firstLine: number,
  cut: CutSettings,
  buffers: BufferPool,
): AsyncGenerator<LineBatch, LinesRead, void> {
  const decoded = header.format === 'journald' ? mapLines(reader, entryText) : reader;
  const nodeLocal = header.origin === 'kernel' || header.origin === 'health';
  const hosts = new Set<string>();
  let first: Instant | null = null;
  let last: Instant | null = null;
  let sequence = 0;
  let lines = 0;
  let bytes = 0;
  try {
    for await (const part of cutLines(decoded, cut, buffers, firstLine)) {
      const { length, ownFrom, ownTo } = part;
      lines += part.lines;
      bytes += ownTo - ownFrom;
      if (nodeLocal) {
        first ??= firstInstant(part, header);
        last = lastInstant(part, header) ?? last;
        if (header.node === null) for (const host of hostsIn(part, header)) hosts.add(host);
      }
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
    return { lines, bytes, ending: decoded.cutShort(), first, last, hosts };
  } finally {
    await decoded.close();
  }
}

function entryText(line: string): string | null {
  return line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? null) : null;
}
