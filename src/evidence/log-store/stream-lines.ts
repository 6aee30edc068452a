import type { BatchHeader, LineBatch } from '../../core/batch.ts';
import type { Nanos } from '../../core/time.ts';
import { countNewlines } from '../../lines/count-newlines.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import type { BufferPool } from '../buffers.ts';
import { bytesReader } from '../files/byte-reader.ts';
import { cutLines } from '../files/cut-lines.ts';
import { defaultFilesSettings } from '../files/settings.ts';
import type { StreamPart } from './log-store.ts';

/** The lines of an entry, whose text may hold several. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/\r?\n$/, '').split('\n');
}

/** Everything read of one stream. */
export interface GatheredStream {
  readonly stream: string;
  readonly node: string | null;
  readonly stamps: Nanos[];
  readonly lines: string[];
}

/** Puts the parts of streams together, given in the order of time. */
export function gatherStreams(parts: Iterable<StreamPart>): readonly GatheredStream[] {
  const streams = new Map<string, GatheredStream>();
  for (const { stream, node, stamps, lines } of parts) {
    const known = streams.get(stream);
    if (known === undefined) streams.set(stream, { stream, node, stamps: [...stamps], lines: [...lines] });
    else {
      for (const stamp of stamps) known.stamps.push(stamp);
      for (const line of lines) known.lines.push(line);
    }
  }
  return [...streams.values()];
}

/** Cuts a stream into batches that carry the stamp of each line. */
export async function* streamBatches(
  { stream, lines, stamps }: GatheredStream,
  header: Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'>,
  buffers: BufferPool,
): AsyncGenerator<LineBatch, void, void> {
  const decoded = header.format === 'auto' || header.format === 'journald' ? lines.map(decodeLine) : lines;
  const text = Buffer.from(`${decoded.join('\n')}\n`);
  yield* textBatches({ stream, text, stamps: BigInt64Array.from(stamps) }, header, buffers);
}

/** The lines of a stream as one text, each ended, and the stamp of each. */
export interface StreamText {
  readonly stream: string;
  readonly text: Uint8Array;
  readonly stamps: BigInt64Array;
}

/** Cuts a stream whose lines are decoded into batches that carry the stamp of each line. */
export async function* textBatches(
  { stream, text, stamps }: StreamText,
  header: Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'>,
  buffers: BufferPool,
): AsyncGenerator<LineBatch, void, void> {
  let sequence = 0;
  for await (const cut of cutLines(bytesReader(text), defaultFilesSettings.cut, buffers)) {
    const { bytes, length, ownFrom, ownTo, firstLine } = cut;
    // A line that is split between batches begins in one and goes on in the next.
    const last = firstLine + countNewlines(bytes, 0, length);
    const entries = { query: stream, stamps: stamps.slice(firstLine - 1, last) };
    yield {
      kind: 'lines',
      header: { ...header, stream, sequence, firstLine, entries },
      bytes,
      length,
      ownFrom,
      ownTo,
    };
    sequence += 1;
  }
}

/** Shippers may send journal entries as they are exported. */
export function decodeLine(line: string): string {
  return line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? line) : line;
}
