/** A JSON value in a log, on lines `[from, to)`, counted from 0. */
export interface FoundDocument {
  readonly from: number;
  /** Where it begins in its first line. */
  readonly column: number;
  readonly to: number;
  readonly value: unknown;
}

/** Longer documents, and deeper ones, are none. */
const mostCharacters = 4 * 1024 * 1024;
const deepest = 64;
/** After so many characters of beginnings that led nowhere, no further document is looked for. */
const mostWasted = 32 * 1024 * 1024;

/**
 * The JSON objects and lists in a log: those that begin a line's message and end with that line or a later one, as
 * programs print them, and those that a message of one line ends with. `messageAt` tells where the message of a line
 * begins: a document that came through a syslog daemon has its prefix on every line.
 */
export function findDocuments(
  lines: readonly string[],
  messageAt: (line: string) => number,
): readonly FoundDocument[] {
  const found: FoundDocument[] = [];
  let wasted = 0;
  for (let at = 0; at < lines.length && wasted < mostWasted; ) {
    const start = beginningOf(lines[at] ?? '', messageAt);
    const read = start === null ? null : readFrom(lines, at, start, messageAt);
    if (read !== null && 'value' in read) found.push(read);
    else wasted += read?.characters ?? 0;
    at = read !== null && 'value' in read ? read.to : at + 1;
  }
  return found;
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

function readFrom(
  lines: readonly string[],
  from: number,
  start: Beginning,
  messageAt: (line: string) => number,
): FoundDocument | { readonly characters: number } {
  const parts: string[] = [];
  let depth = 0;
  let characters = 0;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const cut = at === from ? start.at : start.prefixed ? messageAt(line) : 0;
    const part = line.slice(cut).trimEnd();
    parts.push(part);
    characters += part.length + 1;
    const next = depthAfter(part, depth);
    if (next === null || characters > mostCharacters) break;
    if (next === 0) return parsed(parts.join('\n'), from, start.at, at + 1) ?? { characters };
    if (!start.whole) break;
    depth = next;
  }
  return { characters };
}

function parsed(text: string, from: number, column: number, to: number): FoundDocument | null {
  try {
    return { from, column, to, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * How many brackets are open after a line; null where it cannot belong to a document: too many, a string that the line
 * does not end, or text after the last bracket.
 */
function depthAfter(part: string, before: number): number | null {
  let depth = before;
  for (let at = 0; at < part.length; at += 1) {
    const character = part[at] ?? '';
    if (character === '"') {
      const end = endOfString(part, at);
      if (end === null) return null;
      at = end;
      continue;
    }
    const change = changeOf(character);
    depth += change;
    if (depth > deepest || depth < 0) return null;
    if (depth === 0 && change < 0) return at === part.length - 1 ? 0 : null;
  }
  return depth;
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
