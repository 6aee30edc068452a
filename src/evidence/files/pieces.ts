const newline = 10;

/**
 * A stretch of text in which pieces can be found. A piece is a line with its line feed, or, where the line's content
 * is longer than `pieceBytes`, each `pieceBytes` of it, counted from the line's start (the last one with the line feed).
 */
export interface Stretch {
  readonly bytes: Uint8Array;
  /** Bytes present. */
  readonly filled: number;
  /** Whether nothing follows `filled`. */
  readonly ended: boolean;
  readonly pieceBytes: number;
}

/** End of the piece that starts at `at`; null where more bytes are needed to tell, or none are there. */
export function pieceEnd(text: Stretch, at: number): number | null {
  if (at >= text.filled) return null;
  const reach = Math.min(text.filled, at + text.pieceBytes + 1);
  const found = text.bytes.subarray(at, reach).indexOf(newline);
  if (found >= 0) return at + found + 1;
  if (text.filled > at + text.pieceBytes) return at + text.pieceBytes;
  return text.ended ? text.filled : null;
}

/** Start of the piece that ends at `at` (above 0), where `floor` is a start of some piece at or before it. */
export function pieceStart(text: Stretch, at: number, floor: number): number {
  const contentEnd = text.bytes[at - 1] === newline ? at - 1 : at;
  const before = contentEnd === 0 ? -1 : text.bytes.lastIndexOf(newline, contentEnd - 1);
  const lineStart = Math.max(before + 1, floor);
  const content = contentEnd - lineStart;
  if (content <= text.pieceBytes) return lineStart;
  return lineStart + Math.floor((content - 1) / text.pieceBytes) * text.pieceBytes;
}

/** The last end of a piece at or before `limit`, or `from`, which is a start of some piece. */
export function lastPieceEnd(text: Stretch, from: number, limit: number): number {
  const found = text.bytes.lastIndexOf(newline, limit - 1);
  let end = Math.max(found + 1, from);
  for (;;) {
    const next = pieceEnd(text, end);
    if (next === null || next > limit) return end;
    end = next;
  }
}
