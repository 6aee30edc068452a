import type { BatchHeader, LineBatch, Origin } from '../../src/core/batch.ts';

const pieceBytes = 64 * 1024;
const contextBytes = 64 * 1024;
const contextLines = 64;

export function batchHeader(fields: Partial<BatchHeader> & { readonly origin: Origin }): BatchHeader {
  return {
    source: 'files',
    format: 'auto',
    node: null,
    stream: 'kernel/node-01.log',
    sequence: 0,
    firstLine: 1,
    dating: { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null },
    ...fields,
  };
}

/** A text as one batch. */
export function wholeBatch(text: string | Uint8Array, header: BatchHeader): LineBatch {
  const bytes = new Uint8Array(typeof text === 'string' ? Buffer.from(text) : text);
  return { kind: 'lines', header, bytes, length: bytes.length, ownFrom: 0, ownTo: bytes.length };
}

/** A text as batches of `sizes[i]` lines each (the last size repeats), laid out as `LineBatch` says. */
export function cutText(
  text: string | Uint8Array,
  header: BatchHeader,
  sizes: readonly number[],
): readonly LineBatch[] {
  const bytes = new Uint8Array(typeof text === 'string' ? Buffer.from(text) : text);
  const pieces = piecesOf(bytes);
  const batches: LineBatch[] = [];
  for (let first = 0; first < pieces.length; ) {
    const size = Math.max(1, sizes[batches.length] ?? sizes.at(-1) ?? 1);
    const end = Math.min(first + size, pieces.length);
    batches.push(batchOf(bytes, pieces, first, end, { ...header, sequence: batches.length }));
    first = end;
  }
  return batches;
}

interface TextPiece {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

function piecesOf(bytes: Uint8Array): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let line = 1;
  for (let at = 0; at < bytes.length; line += 1) {
    const feed = bytes.indexOf(10, at);
    const content = feed < 0 ? bytes.length : feed;
    const end = feed < 0 ? content : feed + 1;
    for (; content - at > pieceBytes; at += pieceBytes) pieces.push({ from: at, to: at + pieceBytes, line });
    pieces.push({ from: at, to: end, line });
    at = end;
  }
  return pieces;
}

function batchOf(
  bytes: Uint8Array,
  pieces: readonly TextPiece[],
  first: number,
  end: number,
  header: BatchHeader,
): LineBatch {
  const ownFrom = pieces[first]?.from ?? 0;
  const ownTo = pieces[end - 1]?.to ?? 0;
  let from = first;
  while (from > 0 && first - from < contextLines && ownFrom - (pieces[from - 1]?.from ?? 0) <= contextBytes)
    from -= 1;
  let to = end;
  while (to < pieces.length && to - end < contextLines && (pieces[to]?.to ?? 0) - ownTo <= contextBytes)
    to += 1;
  const start = pieces[from]?.from ?? 0;
  const text = bytes.slice(start, pieces[to - 1]?.to ?? 0);
  return {
    kind: 'lines',
    header: { ...header, firstLine: pieces[from]?.line ?? 1 },
    bytes: text,
    length: text.length,
    ownFrom: ownFrom - start,
    ownTo: ownTo - start,
  };
}
