/** A stretch of a text that holds another text, encoded; `inner` is null where it is random, as the body of a key is. */
export interface EncodedRun {
  readonly from: number;
  readonly to: number;
  readonly inner: string | null;
}

/** Shorter ones hold no name with its secret. */
const leastEncoded = 20;
/** Of these up to two are padding. */
const leastLetters = leastEncoded - 2;
/** Lines of a key's body have 60 characters and more, in groups of four. */
const leastKeyLine = 60;
/** Of random letters and digits more than half follow one of another kind; of words and paths hardly any. */
const leastChanges = 0.3;
const longestWord = 8;

/** Stretches in base64 that hold text, or that can be the body of a key. Hashes and UUIDs are none. One pass. */
export function base64Runs(text: string): readonly EncodedRun[] {
  const runs: EncodedRun[] = [];
  if (!hasLongRun(text)) return runs;
  for (let from = 0; from < text.length; ) {
    if (kindOf(text.charCodeAt(from)) === 'other') {
      from += 1;
      continue;
    }
    const to = runEnd(text, from);
    const run = to - from < leastEncoded ? null : encodedRun(text, from, to);
    if (run !== null) runs.push(run);
    from = to;
  }
  return runs;
}

/** Almost no text has one. A run that long covers one of the places looked at. */
function hasLongRun(text: string): boolean {
  const isPart = (at: number): boolean => kindOf(text.charCodeAt(at)) !== 'other';
  for (let place = leastLetters - 1; place < text.length; place += leastLetters) {
    if (!isPart(place)) continue;
    let from = place;
    let to = place;
    while (from > 0 && isPart(from - 1)) from -= 1;
    while (to < text.length && isPart(to)) to += 1;
    if (to - from >= leastLetters) return true;
  }
  return false;
}

type Kind = 'upper' | 'lower' | 'digit' | 'sign' | 'other';

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return code === 0x2b || code === 0x2f ? 'sign' : 'other';
}

function runEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && kindOf(text.charCodeAt(to)) !== 'other') to += 1;
  for (let padding = 0; padding < 2 && text[to] === '='; padding += 1) to += 1;
  return to;
}

function encodedRun(text: string, from: number, to: number): EncodedRun | null {
  const { changes, longestLower, isHex } = shapeOf(text, from, to);
  if (isHex || changes < leastChanges * (to - from)) return null;
  const inner = Buffer.from(text.slice(from, to), 'base64').toString('utf8');
  if (isText(inner)) return { from, to, inner };
  const isKeyLine = to - from >= leastKeyLine && (to - from) % 4 === 0 && longestLower < longestWord;
  return isKeyLine && text.slice(Math.max(0, from - 1), from + 1) !== '_Z' ? { from, to, inner: null } : null;
}

interface Shape {
  /** How often a letter or digit follows one of another kind. */
  readonly changes: number;
  readonly longestLower: number;
  readonly isHex: boolean;
}

function shapeOf(text: string, from: number, to: number): Shape {
  let changes = 0;
  let lower = 0;
  let longestLower = 0;
  let isHex = true;
  let before: Kind = 'other';
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== before && kind !== 'sign' && before !== 'sign' && before !== 'other') changes += 1;
    lower = kind === 'lower' ? lower + 1 : 0;
    longestLower = Math.max(longestLower, lower);
    isHex &&= kind === 'digit' || (code | 0x20) - 0x61 < 6;
    before = kind;
  }
  return { changes, longestLower, isHex };
}

function isText(inner: string): boolean {
  let strange = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const code = inner.charCodeAt(at);
    if (code === 0xfffd || (code < 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) strange += 1;
  }
  return inner.length > 0 && strange * 20 < inner.length;
}

/** Stretches without blanks, quotes and `&` in which characters are written as `%3D`. One pass. */
export function percentRuns(text: string): readonly EncodedRun[] {
  const runs: EncodedRun[] = [];
  let from = 0;
  let escapes = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at] ?? ' ';
    if (character === '%' && isHexPair(text, at + 1)) escapes += 1;
    if (!' \t\n\r"\'&?'.includes(character)) continue;
    const inner = escapes === 0 ? null : decoded(text.slice(from, at));
    if (inner !== null) runs.push({ from, to: at, inner });
    from = at + 1;
    escapes = 0;
  }
  return runs;
}

function isHexPair(text: string, at: number): boolean {
  return isHexDigit(text.charCodeAt(at)) && isHexDigit(text.charCodeAt(at + 1));
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** What cannot be decoded as a whole is decoded letter by letter, so that one bad escape hides nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][0-9a-fA-F])/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
}
