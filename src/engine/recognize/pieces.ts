import { countNewlines } from '../../lines/count-newlines.ts';

/**
 * A line of a batch: `[from, to)` with its line feed. Lines longer than `pieceBytes` are split every so many bytes from
 * their start, and each piece then counts as a line of the same number.
 */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** How far around a line further lines may lie: what every batch is sure to hold. */
export const reachLines = 64;
export const reachBytes = 64 * 1024;
const pieceBytes = 64 * 1024;
const newline = 10;
/** To a line this far away lines are counted, four bytes at a time, and not walked over one by one. */
const farBytes = 1024;

/** The lines of one batch. Asking for pieces from front to back costs one pass over the text. */
export interface Pieces {
  /** The piece that holds the byte at `offset`, which is no line feed. */
  at(offset: number): Piece;
  next(piece: Piece): Piece | null;
  previous(piece: Piece): Piece | null;
}

/** `bytes[0, length)` starts with a piece, whose line has the number `firstLine`, and ends with one. */
export function piecesOf(bytes: Uint8Array, length: number, firstLine: number): Pieces {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  let lineFrom = 0;
  let lineTo = lineEnd(text, 0);
  let line = firstLine;

  const inLine = (offset: number): Piece => {
    const content = text[lineTo - 1] === newline ? lineTo - 1 : lineTo;
    const index = Math.floor((Math.min(offset, Math.max(content - 1, lineFrom)) - lineFrom) / pieceBytes);
    const from = lineFrom + index * pieceBytes;
    return { from, to: from + pieceBytes >= content ? lineTo : from + pieceBytes, line };
  };
  const seek = (offset: number): void => {
    if (offset - lineTo > farBytes) {
      const from = text.lastIndexOf(newline, Math.min(offset, length) - 1) + 1;
      if (from > lineTo) {
        line += countNewlines(bytes, lineTo - 1, from);
        lineFrom = from;
        lineTo = lineEnd(text, from);
      }
    }
    while (offset >= lineTo && lineTo < length) {
      lineFrom = lineTo;
      lineTo = lineEnd(text, lineFrom);
      line += 1;
    }
    while (offset < lineFrom) {
      lineTo = lineFrom;
      lineFrom = lineTo < 2 ? 0 : text.lastIndexOf(newline, lineTo - 2) + 1;
      line -= 1;
    }
  };
  return {
    at(offset) {
      seek(offset);
      return inLine(offset);
    },
    next(piece) {
      if (piece.to >= length) return null;
      seek(piece.to);
      return inLine(piece.to);
    },
    previous(piece) {
      if (piece.from === 0) return null;
      seek(piece.from - 1);
      return inLine(piece.from - 1);
    },
  };
}

function lineEnd(text: Buffer, from: number): number {
  const at = text.indexOf(newline, from);
  return at < 0 ? text.length : at + 1;
}

/** Lines after (or before) a line, nearest first, as far as every batch that holds the line is sure to reach. */
export function* reachOf(
  pieces: Pieces,
  main: Piece,
  direction: 'forward' | 'backward',
): Generator<Piece, void, void> {
  let piece: Piece | null = main;
  for (let lines = 0; lines < reachLines; lines += 1) {
    piece = direction === 'forward' ? pieces.next(piece) : pieces.previous(piece);
    if (piece === null) return;
    const distance = direction === 'forward' ? piece.to - main.to : main.from - piece.from;
    if (distance > reachBytes) return;
    yield piece;
  }
}
