import { countNewlines } from '../../lines/count-newlines.ts';
import { type BufferPool, smallShare } from '../buffers.ts';
import { type ByteReader, readFully } from './byte-reader.ts';
import { lastPieceEnd, pieceEnd, pieceStart, type Stretch } from './pieces.ts';

/** How text is cut into batches; tests vary every figure. */
export interface CutSettings {
  /** The most own bytes of a batch; above `pieceBytes`. */
  readonly ownBytes: number;
  readonly contextLines: number;
  /** The most bytes of context on each side. */
  readonly contextBytes: number;
  /** Longer lines are split every so many bytes from their start. */
  readonly pieceBytes: number;
}

/** One batch's worth of text, laid out as `LineBatch` says. */
export interface Cut {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
  readonly ownFrom: number;
  readonly ownTo: number;
  /** Number of the first line in `bytes`; the line of the first byte where a split line begins it. */
  readonly firstLine: number;
  /** Lines that end in the own part, the last line of a stream without line feed included. */
  readonly lines: number;
}

/**
 * Cuts a stream at line ends. Memory is bounded whatever the stream holds; own parts in sequence are the stream, byte
 * for byte, except that a stream cut short loses its last, incomplete line: half a line says something else.
 * `firstLine` is the number of the line the reader starts at.
 */
export async function* cutLines(
  reader: ByteReader,
  settings: CutSettings,
  buffers: BufferPool,
  firstLine = 1,
): AsyncGenerator<Cut, void, void> {
  const { ownBytes, contextBytes, pieceBytes } = settings;
  if (ownBytes <= pieceBytes || buffers.bytes < ownBytes + 2 * contextBytes + 1) {
    throw new RangeError(
      `Batches of ${ownBytes} bytes fit neither pieces nor buffers: check the cut settings.`,
    );
  }
  let buffer = buffers.acquire();
  try {
    let bytes = new Uint8Array(buffer);
    let ownFrom = 0;
    let filled = 0;
    let line = firstLine;
    let ended = false;
    for (;;) {
      const wanted = ownFrom + ownBytes + contextBytes + 1;
      if (!ended) filled += await readFully(reader, bytes.subarray(filled, wanted));
      ended ||= filled < wanted;
      if (ended && reader.cutShort() !== null) filled = Math.max(ownFrom, endOfLastLine(bytes, filled));
      if (filled === ownFrom) return;
      const text: Stretch = { bytes, filled, ended, pieceBytes };
      const ownTo =
        ended && filled - ownFrom <= ownBytes ? filled : lastPieceEnd(text, ownFrom, ownFrom + ownBytes);
      const length = contextEnd(text, ownTo, settings);
      const newlines = countNewlines(bytes, ownFrom, ownTo);
      const open = ended && ownTo === filled && bytes[ownTo - 1] !== 10 ? 1 : 0;
      const start = line - countNewlines(bytes, 0, ownFrom);
      const cut = { length, ownFrom, ownTo, firstLine: start, lines: newlines + open };
      line += newlines;

      const keepFrom = contextStart(text, ownFrom, ownTo, settings);
      const rest = filled - keepFrom;
      ownFrom = ownTo - keepFrom;
      filled = rest;
      if (length * smallShare <= bytes.length) {
        const small = new Uint8Array(buffers.acquire(length));
        small.set(bytes.subarray(0, length));
        bytes.copyWithin(0, keepFrom, keepFrom + rest);
        yield { bytes: small, ...cut };
      } else {
        const full = bytes;
        buffer = buffers.acquire();
        bytes = new Uint8Array(buffer);
        bytes.set(full.subarray(keepFrom, keepFrom + rest));
        yield { bytes: full, ...cut };
      }
    }
  } finally {
    buffers.release(buffer);
  }
}

function endOfLastLine(bytes: Uint8Array, filled: number): number {
  return filled === 0 ? 0 : bytes.lastIndexOf(10, filled - 1) + 1;
}

function contextEnd(text: Stretch, ownTo: number, settings: CutSettings): number {
  let end = ownTo;
  for (let lines = 0; lines < settings.contextLines; lines++) {
    const next = pieceEnd(text, end);
    if (next === null || next - ownTo > settings.contextBytes) break;
    end = next;
  }
  return end;
}

/** Start of what the next batch repeats: pieces before `ownTo`, found from where pieces are known to start. */
function contextStart(text: Stretch, ownFrom: number, ownTo: number, settings: CutSettings): number {
  let start = ownTo;
  for (let lines = 0; lines < settings.contextLines && start > 0; lines++) {
    const previous = pieceStart(text, start, start > ownFrom ? ownFrom : 0);
    if (ownTo - previous > settings.contextBytes) break;
    start = previous;
  }
  return start;
}
