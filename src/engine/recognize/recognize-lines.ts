import type { BatchHeader } from '../../core/batch.ts';
import { type GateHits, gateHits } from '../gate/gate.ts';
import type { OriginRules } from './compile.ts';
import type { LineHit } from './hit.ts';
import { lineFacts } from './line-facts.ts';
import { type LineMatcher, lineMatcher } from './match-line.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { segmentsOf } from './views.ts';

/** The text of a batch as a worker receives it. */
export interface BatchContent {
  readonly header: BatchHeader;
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly ownFrom: number;
  readonly ownTo: number;
}

/**
 * Hits of the rules on the lines that belong to a batch, by line; of a rule that keeps ends the first and the last, of
 * others as many as its cap allows and one more. Rules in `skip` (positions in the corpus) are not looked for.
 * The result for a line depends on the line and on what every batch that holds it is sure to hold around it.
 */
export function recognizeLines(
  content: BatchContent,
  origin: OriginRules,
  skip: ReadonlySet<number> = new Set(),
): readonly LineHit[] {
  const { header, bytes, length, ownFrom, ownTo } = content;
  const budgets = ruleBudgets(origin, skip);
  const hits = gateHits();
  origin.gate.scan(bytes, ownFrom, ownTo, hits, budgets.mutedKeywords);
  if (hits.count === 0) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  const pieces = piecesOf(bytes, length, header.firstLine);
  const segments = segmentsOf(text);
  const facts = lineFacts(header, text, pieces, segments);
  const matcher = lineMatcher({ text, pieces, segments, facts, matches: new Map() }, origin);
  const found = matchForward(hits, pieces, matcher, budgets);
  const ends = matchLastEnds(hits, pieces, matcher, origin, found);
  return [...found.map(({ hit }) => hit), ...ends];
}

interface FoundHit {
  readonly position: number;
  readonly from: number;
  readonly hit: LineHit;
}

function matchForward(
  hits: GateHits,
  pieces: Pieces,
  matcher: LineMatcher,
  budgets: RuleBudgets,
): readonly FoundHit[] {
  const found: FoundHit[] = [];
  for (let at = 0; at < hits.count; ) {
    if (budgets.mutedKeywords[hits.keywords[at] as number] === 1) {
      at += 1;
      continue;
    }
    const piece = pieces.at(hits.offsets[at] as number);
    let end = at + 1;
    while (end < hits.count && (hits.offsets[end] as number) < piece.to) end += 1;
    matcher.match(piece, hits, at, end, budgets.isOpen, (position, hit) => {
      found.push({ position, from: piece.from, hit });
      budgets.spend(position);
    });
    at = end;
  }
  return found;
}

/** The last hits of the rules that keep ends, where they are not the first ones too: lines are tried from the end. */
function matchLastEnds(
  hits: GateHits,
  pieces: Pieces,
  matcher: LineMatcher,
  origin: OriginRules,
  found: readonly FoundHit[],
): readonly LineHit[] {
  const firsts = new Map<number, number>();
  for (const { position, from } of found) {
    if (origin.rules[position]?.rule.keepEnds === true) firsts.set(position, from);
  }
  const isOpen = new Uint8Array(origin.rules.length);
  for (const position of firsts.keys()) isOpen[position] = 1;
  const lasts: LineHit[] = [];
  for (let end = hits.count; end > 0 && firsts.size > 0; ) {
    const piece = pieces.at(hits.offsets[end - 1] as number);
    let at = end - 1;
    while (at > 0 && (hits.offsets[at - 1] as number) >= piece.from) at -= 1;
    for (const [position, from] of firsts) {
      if (piece.from > from) continue;
      firsts.delete(position);
      isOpen[position] = 0;
    }
    matcher.match(piece, hits, at, end, isOpen, (position, hit) => {
      lasts.push(hit);
      firsts.delete(position);
      isOpen[position] = 0;
    });
    end = at;
  }
  return lasts.reverse();
}

/** How many hits of each rule are still wanted, and which keywords nobody waits for any more. */
interface RuleBudgets {
  readonly isOpen: Uint8Array;
  readonly mutedKeywords: Uint8Array;
  spend(position: number): void;
}

function ruleBudgets(origin: OriginRules, skip: ReadonlySet<number>): RuleBudgets {
  const left = origin.caps.slice();
  const isOpen = new Uint8Array(left.length).fill(1);
  const mutedKeywords = new Uint8Array(origin.rulesOfKeyword.length);
  const mute = (): void => {
    mutedKeywords.set(
      origin.rulesOfKeyword.map(rules => (rules.some(position => isOpen[position] === 1) ? 0 : 1)),
    );
  };
  if (skip.size > 0) {
    for (const [position, { index }] of origin.rules.entries()) {
      if (skip.has(index)) isOpen[position] = 0;
    }
    mute();
  }
  return {
    isOpen,
    mutedKeywords,
    spend(position) {
      left[position] = (left[position] ?? 0) - 1;
      if ((left[position] ?? 0) > 0) return;
      isOpen[position] = 0;
      mute();
    },
  };
}
