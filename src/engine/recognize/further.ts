import type { Device } from '../../core/symptom.ts';
import { second } from '../../core/time.ts';
import type { CompiledLineRule, CompiledThen } from './compile.ts';
import { deviceOf, normalizeCaptures, sameDevice } from './devices.ts';
import type { LineFacts } from './line-facts.ts';
import { type Piece, type Pieces, reachOf } from './pieces.ts';
import type { Segments, View } from './views.ts';

type Captures = Readonly<Record<string, string>>;

/** A line as `then` compares it. */
interface Seen {
  readonly piece: Piece;
  readonly view: View;
  readonly captures: Captures;
}

/** The text of one batch and what is known of its lines. */
export interface BatchText {
  readonly text: Buffer;
  readonly pieces: Pieces;
  readonly segments: Segments;
  readonly facts: LineFacts;
  readonly matches: FurtherMatches;
}

/** What a further pattern found in what it saw, by where that begins: lines in a row share most of their reach. */
type FurtherMatches = Map<CompiledThen, Map<number, Found | null>>;

interface Found {
  readonly text: string;
  readonly captures: Captures;
}

/**
 * The captures of all lines a rule wants, or null where one is missing or one is there that must not be. Each further
 * line is the nearest in reach of the one before; none lies further from the first line than every batch that holds that
 * line is sure to reach.
 */
export function matchFurther(
  batch: BatchText,
  rule: CompiledLineRule,
  piece: Piece,
  view: View,
  captures: Captures,
): Captures | null {
  let last: Seen = { piece, view, captures };
  let all = captures;
  for (const further of rule.further) {
    const found = findFurther(batch, further, piece, last);
    if (further.match.absent) {
      if (found !== null) return null;
      continue;
    }
    if (found === null) return null;
    all = { ...found.captures, ...all };
    last = found;
  }
  return all;
}

function findFurther(batch: BatchText, further: CompiledThen, main: Piece, last: Seen): Seen | null {
  const { direction, lines } = further.match;
  let distance = 0;
  for (const piece of inReach(batch.pieces, main, last.piece, direction)) {
    distance += 1;
    if (lines !== null && distance > lines) return null;
    const found = matchPiece(batch, further, piece, last);
    if (found !== null) return found;
  }
  return null;
}

/** Lines from `last` on, nearest first, that lie in the reach of `main`. */
function* inReach(
  pieces: Pieces,
  main: Piece,
  last: Piece,
  direction: 'forward' | 'backward',
): Generator<Piece, void, void> {
  const forward = direction === 'forward';
  const behind = forward ? last.from < main.from : last.from > main.from;
  if (behind) {
    for (let piece = forward ? pieces.next(last) : pieces.previous(last); piece !== null; ) {
      if (piece.from === main.from) break;
      yield piece;
      piece = forward ? pieces.next(piece) : pieces.previous(piece);
    }
  }
  for (const piece of reachOf(pieces, main, direction)) {
    if (forward ? piece.from > last.from : piece.from < last.from) yield piece;
  }
}

function matchPiece(batch: BatchText, further: CompiledThen, piece: Piece, last: Seen): Seen | null {
  for (const view of batch.segments.of(piece)) {
    const found = matchOnce(batch, further, view);
    if (found === null) continue;
    const seen = { piece, view, captures: found.captures };
    if (isNear(batch.facts, further, last, seen) && isSame(batch.facts, further, last, seen, found.text))
      return seen;
  }
  return null;
}

function matchOnce({ text, matches }: BatchText, further: CompiledThen, view: View): Found | null {
  let known = matches.get(further);
  if (known === undefined) {
    known = new Map();
    matches.set(further, known);
  }
  const before = known.get(view.from);
  if (before !== undefined) return before;
  const seen = text.toString('utf8', view.from, view.to);
  const match = further.pattern.exec(seen);
  const found = match === null ? null : { text: seen, captures: normalizeCaptures(match.groups) };
  known.set(view.from, found);
  return found;
}

/** Lines whose distance in time is unknown are not near. */
function isNear(facts: LineFacts, { match }: CompiledThen, a: Seen, b: Seen): boolean {
  if (match.seconds === null) return true;
  const from = facts.instantOf(a.piece, a.view);
  const to = facts.instantOf(b.piece, b.view);
  const limit = BigInt(Math.round(match.seconds * Number(second)));
  const sameScale = from.clock === to.clock && !from.clock.endsWith('#lines');
  if (sameScale) return magnitude(to.tick - from.tick) <= limit;
  if (from.nanos === null || to.nanos === null) return false;
  return magnitude(to.nanos - from.nanos) <= limit;
}

function isSame(facts: LineFacts, { match }: CompiledThen, a: Seen, b: Seen, text: string): boolean {
  if (match.same === null) return true;
  const speakerA = facts.speakerOf(a.piece, a.view);
  const speakerB = facts.speakerOf(b.piece, b.view);
  if (match.same === 'device') {
    const deviceA = deviceOf(a.captures, speakerA.gpu);
    const deviceB = deviceOf(b.captures, speakerB.gpu);
    return deviceB === null ? namesDevice(text, deviceA) : sameDevice(deviceA, deviceB);
  }
  const pidA = a.captures['pid'] ?? speakerA.pid;
  const pidB = b.captures['pid'] ?? speakerB.pid;
  return pidA !== null && pidB !== null && String(pidA) === String(pidB);
}

/** A pattern need not capture a device that its line names by address. */
function namesDevice(text: string, device: Device | null): boolean {
  const lower = text.toLowerCase();
  return [device?.pci, device?.uuid].some(
    name => typeof name === 'string' && lower.includes(name.toLowerCase()),
  );
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
