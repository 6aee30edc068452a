import type { GateHits } from '../gate/gate.ts';
import type { CompiledLineRule, OriginRules } from './compile.ts';
import { normalizeCaptures } from './devices.ts';
import { type Ends, excerpt } from './excerpt.ts';
import { type BatchText, matchFurther } from './further.ts';
import type { LineHit } from './hit.ts';
import type { Piece } from './pieces.ts';
import { showsAround, type View, viewAround } from './views.ts';

/** Runs rules on lines: each rule at most once on what it has seen of a line, and matching a line at most once. */
export interface LineMatcher {
  /**
   * Hands over the hits of the rules that `isOpen` (by position in `origin.rules`) on one line, whose keywords are
   * `hits[from, to)`. Which rules match does not depend on the order of the keywords.
   */
  match(piece: Piece, hits: GateHits, from: number, to: number, isOpen: Uint8Array, onHit: OnHit): void;
}

type OnHit = (position: number, hit: LineHit) => void;

export function lineMatcher(batch: BatchText, origin: OriginRules): LineMatcher {
  const seenPiece = new Int32Array(origin.rules.length).fill(-1);
  const seenView: (View | null)[] = Array(origin.rules.length).fill(null);
  const matchedPiece = new Int32Array(origin.rules.length).fill(-1);
  let decoded = { from: -1, to: -1, text: '' };

  const decode = (view: View): string => {
    if (decoded.from !== view.from || decoded.to !== view.to) {
      decoded = { from: view.from, to: view.to, text: batch.text.toString('utf8', view.from, view.to) };
    }
    return decoded.text;
  };
  /** Whether a rule has seen the surroundings of a keyword already; if not, it is about to. */
  const hasSeen = (position: number, piece: Piece, segment: View, at: number): boolean => {
    if (matchedPiece[position] === piece.from) return true;
    const view = seenPiece[position] === piece.from ? (seenView[position] ?? null) : null;
    return view !== null && at >= view.from && at < view.to && showsAround(view, segment, at);
  };
  const tryRule = (position: number, piece: Piece, segment: View, at: number): LineHit | null => {
    const rule = origin.rules[position];
    if (rule === undefined || hasSeen(position, piece, segment, at)) return null;
    const view = viewAround(segment, at);
    seenPiece[position] = piece.from;
    seenView[position] = view;
    const hit = matchView(batch, rule, piece, view, decode(view));
    if (hit !== null) matchedPiece[position] = piece.from;
    return hit;
  };
  const tryKeyword = (
    piece: Piece,
    segment: View,
    keyword: number,
    at: number,
    isOpen: Uint8Array,
    onHit: OnHit,
  ): void => {
    for (const position of origin.rulesOfKeyword[keyword] ?? []) {
      const hit = isOpen[position] === 1 ? tryRule(position, piece, segment, at) : null;
      if (hit !== null) onHit(position, hit);
    }
  };
  return {
    match(piece, hits, from, to, isOpen, onHit) {
      orderKeywords(hits, from, to);
      let segment: View | null = null;
      for (let hit = from; hit < to; hit += 1) {
        const keyword = hits.keywords[hit] as number;
        const at = hits.offsets[hit] as number;
        if (segment === null || at >= segment.to) segment = batch.segments.at(piece, at);
        // What reaches into the next piece of a split line would be lost where a batch ends between them.
        const end = at + (origin.keywords[keyword]?.length ?? 0);
        if (end <= segment.to) tryKeyword(piece, segment, keyword, at, isOpen, onHit);
      }
    },
  };
}

/** By offset, then keyword: the gate's own order depends on alignment, which must not show. A line has few keywords. */
function orderKeywords(hits: GateHits, from: number, to: number): void {
  const { keywords, offsets } = hits;
  for (let hit = from + 1; hit < to; hit += 1) {
    const keyword = keywords[hit] as number;
    const at = offsets[hit] as number;
    let place = hit;
    while (place > from && isAfter(hits, place - 1, at, keyword)) {
      keywords[place] = keywords[place - 1] as number;
      offsets[place] = offsets[place - 1] as number;
      place -= 1;
    }
    keywords[place] = keyword;
    offsets[place] = at;
  }
}

function isAfter({ keywords, offsets }: GateHits, hit: number, at: number, keyword: number): boolean {
  const offset = offsets[hit] as number;
  return offset > at || (offset === at && (keywords[hit] as number) > keyword);
}

function matchView(
  batch: BatchText,
  rule: CompiledLineRule,
  piece: Piece,
  view: View,
  text: string,
): LineHit | null {
  const match = rule.pattern.exec(text);
  if (match === null || rule.isTakenBack(text)) return null;
  const ends = endsOf(batch.text, view);
  // Of a line that is cut the quotes before do not tell which of them opens.
  const before = text.slice(ends.isCutBefore ? match.index - 1 : 0, match.index);
  if (!batch.facts.isHeard(piece, view, before)) return null;
  const own = normalizeCaptures(match.groups);
  const captures = rule.further.length === 0 ? own : matchFurther(batch, rule, piece, view, own);
  if (captures === null) return null;
  return {
    rule: rule.index,
    line: piece.line,
    text: excerpt(text, match.index, match.end, ends),
    captures,
    instant: batch.facts.entryAt(captures['occurred']) ?? batch.facts.instantOf(piece, view),
    speaker: batch.facts.speakerOf(piece, view),
  };
}

/** Every batch that holds a piece of a line holds the one before it. */
function endsOf(text: Buffer, { from, to }: View): Ends {
  return {
    isCutBefore: from > 0 && !isLineEnd(text[from - 1]),
    isCutBehind: to < text.length && !isLineEnd(text[to]),
  };
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}
