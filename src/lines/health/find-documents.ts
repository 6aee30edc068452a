/** A JSON value in a log, on lines `[from, to)`, counted from 0. */
export interface FoundDocument {
  readonly from: number;
  /** Where it begins in its first line. */
  readonly column: number;
  readonly to: number;
  readonly value: unknown;
}

/** Lines `[from, to)` on which a document seems to begin that could not be read. */
export interface LostDocument {
  readonly from: number;
  readonly to: number;
  /** Why not; a sentence without an excerpt. */
  readonly reason: string;
}

/** Longer documents, and deeper ones, are not parsed. */
const mostCharacters = 4 * 1024 * 1024;
const deepest = 64;
/** After so many characters of beginnings that led nowhere, no further document is looked for. */
const mostWasted = 32 * 1024 * 1024;

const reasons = {
  long: `a JSON document of more than ${mostCharacters} characters was not read`,
  deep: `a JSON document of more than ${deepest} levels was not read`,
  broken: 'a JSON document that is broken off, or is no JSON, was not read',
  rest: 'too many beginnings of JSON documents led nowhere, and the rest was not looked through for any',
} as const;

/**
 * The JSON objects and lists in a log: those that begin a line's message and end with that line or a later one, as
 * programs print them, and those that a message of one line ends with. `messageAt` tells where the message of a line
 * begins: a document that came through a syslog daemon has its prefix on every line.
 */
export function findDocuments(
  lines: readonly string[],
  messageAt: (line: string) => number,
): { readonly found: readonly FoundDocument[]; readonly lost: readonly LostDocument[] } {
  const found: FoundDocument[] = [];
  const lost: LostDocument[] = [];
  let wasted = 0;
  for (let at = 0; at < lines.length; ) {
    const start = beginningOf(lines[at] ?? '', messageAt);
    if (start === null) {
      at += 1;
      continue;
    }
    if (wasted >= mostWasted) {
      lost.push({ from: at, to: lines.length, reason: reasons.rest });
      break;
    }
    const read = readFrom(lines, at, start, messageAt);
    if ('value' in read) found.push(read);
    else {
      lost.push(read);
      if (!read.isWhole) wasted += read.characters;
    }
    at = 'value' in read || read.isWhole ? read.to : at + 1;
  }
  return { found, lost };
}

interface Beginning {
  readonly at: number;
  /** Whether nothing of the message stands before it: then it may go on over further lines. */
  readonly whole: boolean;
  readonly prefixed: boolean;
}

/** Where a line opens an object, or a list that holds objects or is left open. */
function beginningOf(line: string, messageAt: (line: string) => number): Beginning | null {
  if (!line.includes('{') && !line.includes('[')) return null;
  const from = messageAt(line);
  const rest = line.slice(from);
  const opening = /\[\s{0,8}\{|\{/.exec(rest);
  const blanks = rest.length - rest.trimStart().length;
  if (opening === null) {
    return rest.trim() === '[' ? { at: from + blanks, whole: true, prefixed: from > 0 } : null;
  }
  return { at: from + opening.index, whole: opening.index === blanks, prefixed: from > 0 };
}

/** What does not come to its end may hold the beginning of another; of what does, the next begins after it. */
interface Unread extends LostDocument {
  readonly characters: number;
  readonly isWhole: boolean;
}

function readFrom(
  lines: readonly string[],
  from: number,
  start: Beginning,
  messageAt: (line: string) => number,
): FoundDocument | Unread {
  const parts: string[] = [];
  const brackets = { open: 0, deepest: 0 };
  let characters = 0;
  const unread = (to: number, reason: string, isWhole: boolean): Unread => ({
    from,
    to,
    reason,
    characters,
    isWhole,
  });
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const cut = at === from ? start.at : start.prefixed ? messageAt(line) : 0;
    const part = line.slice(cut).trimEnd();
    characters += part.length + 1;
    // What is too long is looked through for its end all the same, so that what comes after it is read.
    if (characters <= mostCharacters) parts.push(part);
    const belongs = follow(part, brackets);
    if (belongs && brackets.open === 0) {
      const excess = excessOf(characters, brackets.deepest);
      if (excess !== null) return unread(at + 1, excess, true);
      return parsed(parts.join('\n'), from, start.at, at + 1) ?? unread(at + 1, reasons.broken, false);
    }
    if (!belongs || !start.whole) break;
  }
  return unread(Math.min(at + 1, lines.length), excessOf(characters, 0) ?? reasons.broken, false);
}

function excessOf(characters: number, levels: number): string | null {
  if (characters > mostCharacters) return reasons.long;
  return levels > deepest ? reasons.deep : null;
}

function parsed(text: string, from: number, column: number, to: number): FoundDocument | null {
  try {
    return { from, column, to, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * Counts the brackets that are open after a line; false where it cannot belong to a document: too many closed, a string
 * that the line does not end, or text after the last bracket.
 */
function follow(part: string, brackets: { open: number; deepest: number }): boolean {
  for (let at = 0; at < part.length; at += 1) {
    const character = part[at] ?? '';
    if (character === '"') {
      const end = endOfString(part, at);
      if (end === null) return false;
      at = end;
      continue;
    }
    const change = changeOf(character);
    brackets.open += change;
    brackets.deepest = Math.max(brackets.deepest, brackets.open);
    if (brackets.open < 0) return false;
    if (brackets.open === 0 && change < 0) return at === part.length - 1;
  }
  return true;
}

function changeOf(character: string): -1 | 0 | 1 {
  if (character === '{' || character === '[') return 1;
  return character === '}' || character === ']' ? -1 : 0;
}

/** The closing quote of the string that is opened at `from`. */
function endOfString(part: string, from: number): number | null {
  for (let at = part.indexOf('"', from + 1); at >= 0; at = part.indexOf('"', at + 1)) {
    let slashes = 0;
    while (part[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return null;
}
