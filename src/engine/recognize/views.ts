import type { Piece } from './pieces.ts';

/** What a pattern sees of a line: `[from, to)`, between carriage returns, at most `viewBytes` around its keyword. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export const viewBytes = 16 * 1024;
const carriageReturn = 13;
const newline = 10;

/** The view of a stretch between carriage returns around the keyword at `at`. */
export function viewAround(segment: View, at: number): View {
  if (segment.to - segment.from <= viewBytes) return segment;
  const from = Math.max(segment.from, at - viewBytes / 2);
  return { from, to: Math.min(segment.to, from + viewBytes) };
}

/** Whether a keyword lies so far inside a view that another view around it would show nothing of use. */
export function showsAround(view: View, segment: View, at: number): boolean {
  const quarter = viewBytes / 4;
  const from = view.from === segment.from ? view.from : view.from + quarter;
  const to = view.to === segment.to ? view.to : view.to - quarter;
  return at >= from && at < to;
}

/** The stretches between carriage returns, with which a progress bar rewrites its line. */
export interface Segments {
  /** The one that holds the byte at `at`. */
  at(piece: Piece, at: number): View;
  /** All of a line, empty ones left out, each cut to what a pattern sees. */
  of(piece: Piece): Generator<View, void, void>;
}

export function segmentsOf(text: Buffer): Segments {
  const first = text.indexOf(carriageReturn);
  const last = first < 0 ? -1 : text.lastIndexOf(carriageReturn);
  const isWhole = (piece: Piece): boolean => piece.to <= first || piece.from > last;
  const contentEnd = ({ from, to }: Piece): number => (to > from && text[to - 1] === newline ? to - 1 : to);
  return {
    at(piece, at) {
      const end = contentEnd(piece);
      if (isWhole(piece)) return { from: piece.from, to: end };
      const before = text.subarray(piece.from, at).lastIndexOf(carriageReturn);
      const after = text.subarray(at, end).indexOf(carriageReturn);
      return { from: piece.from + before + 1, to: after < 0 ? end : at + after };
    },
    *of(piece) {
      const end = contentEnd(piece);
      for (let from = piece.from; from < end; ) {
        const found = isWhole(piece) ? -1 : text.subarray(from, end).indexOf(carriageReturn);
        const to = found < 0 ? end : from + found;
        if (to > from) yield { from, to: Math.min(to, from + viewBytes) };
        from = to + 1;
      }
    },
  };
}
