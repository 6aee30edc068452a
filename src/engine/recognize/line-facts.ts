import type { BatchHeader } from '../../core/batch.ts';
import { type Instant, minute, second } from '../../core/time.ts';
import { dateEntry } from '../../lines/entry-dates.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import type { ParsedLine } from '../../lines/line.ts';
import { endsInQuotation, speaksForNode } from './heard.ts';
import type { Speaker } from './hit.ts';
import { type Piece, type Pieces, reachOf } from './pieces.ts';
import type { Segments, View } from './views.ts';

/** How much later than the last stamp before it a line without stamp may have been written. */
const unstampedPlusMinus = minute;
/** The same for an entry that its store dates: hosts agree by NTP. */
const storedPlusMinus = second;
/** No prefix is longer. */
const prefixBytes = 4096;

/** When lines were written and by whom, read from their prefixes and remembered for one batch. */
export interface LineFacts {
  /**
   * False for lines that another program wrote into a node's own log, and for words that stand there between quotes.
   * `before` is what stands before what matched, as far as it is known from the beginning of the line.
   */
  isHeard(piece: Piece, view: View, before: string): boolean;
  /** The prefix of what a pattern sees; what it does not say is taken from the start of its line. */
  speakerOf(piece: Piece, view: View): Speaker;
  /** When the entry that a line lists came about, however late it is listed; null where that is not said. */
  entryAt(occurred: string | undefined): Instant | null;
  /** From the line's own stamp if it is whole, else the store's, else what the line has of one, else from the nearest earlier one in reach, else only its order in the stream. */
  instantOf(piece: Piece, view: View): Instant;
}

export function lineFacts(header: BatchHeader, text: Buffer, pieces: Pieces, segments: Segments): LineFacts {
  const clock = `${header.source}:${header.stream}`;
  const dating = { ...header.dating, clock };
  const parsed = new Map<number, ParsedLine>();
  const inherited = new Map<number, Instant | null>();

  const parseAt = (from: number, to: number): ParsedLine => {
    const known = parsed.get(from);
    if (known !== undefined) return known;
    const line = parseLine(
      header.format,
      text.toString('utf8', from, Math.min(to, from + prefixBytes)),
      dating,
    );
    parsed.set(from, line);
    return line;
  };
  const start = (piece: Piece): ParsedLine => {
    const known = parsed.get(piece.from);
    if (known !== undefined) return known;
    const first = segments.of(piece).next();
    if (first.done === true) return parseAt(piece.from, piece.from);
    const line = parseAt(first.value.from, first.value.to);
    parsed.set(piece.from, line);
    return line;
  };
  const startOf = (piece: Piece, view: View): ParsedLine => {
    if (view.from === piece.from) return start(piece);
    const segment = segments.at(piece, view.from);
    return parseAt(segment.from, segment.to);
  };
  /** The nearest stamp before a line, looking no further than every batch reaches. */
  const stampBefore = (piece: Piece): Instant | null => {
    const known = inherited.get(piece.from);
    if (known !== undefined) return known;
    let found: Instant | null = null;
    for (const earlier of reachOf(pieces, piece, 'backward')) {
      found = start(earlier).instant;
      if (found !== null) break;
    }
    inherited.set(piece.from, found);
    return found;
  };
  return {
    speakerOf(piece, view) {
      const own = startOf(piece, view);
      const line = start(piece);
      return {
        host: own.host ?? line.host,
        pid: own.pid ?? line.pid,
        rank: own.rank ?? line.rank,
        task: own.task ?? line.task,
        gpu: own.gpu ?? line.gpu,
      };
    },
    isHeard(piece, view, before) {
      if (header.origin !== 'kernel') return true;
      if (endsInQuotation(before)) return false;
      const segment =
        view.from === piece.from ? segments.of(piece).next().value : segments.at(piece, view.from);
      if (segment === undefined) return true;
      const beginning = text.toString('utf8', segment.from, Math.min(segment.to, segment.from + prefixBytes));
      return speaksForNode(header.format, parseAt(segment.from, segment.to), beginning);
    },
    entryAt: occurred => (occurred === undefined ? null : dateEntry(occurred, dating)),
    instantOf(piece, view) {
      const own = startOf(piece, view).instant ?? start(piece).instant;
      if (own?.basis === 'stamped') return own;
      const stored = header.entries?.stamps[piece.line - header.firstLine];
      const approximate = header.entries?.approximate;
      if (stored !== undefined && approximate !== undefined) {
        if (own !== null && own.nanos !== null) return own;
        const place = own ?? { clock: `${clock}#lines`, tick: BigInt(piece.line) };
        return {
          nanos: stored,
          plusMinus: approximate,
          basis: 'synthetic',
          clock: place.clock,
          tick: place.tick,
        };
      }
      if (stored !== undefined) {
        const plusMinus = storedPlusMinus;
        return { nanos: stored, plusMinus, basis: 'stamped', clock: `${clock}#entries`, tick: stored };
      }
      if (own !== null) return own;
      const earlier = stampBefore(piece);
      return {
        nanos: earlier?.nanos ?? null,
        plusMinus: earlier === null || earlier.nanos === null ? 0n : earlier.plusMinus + unstampedPlusMinus,
        basis: 'file_order',
        clock: `${clock}#lines`,
        tick: BigInt(piece.line),
      };
    },
  };
}
