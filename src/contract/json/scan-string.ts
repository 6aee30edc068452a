import type { Cursor } from './cursor.ts';
import { fail, failed } from './cursor.ts';

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The string whose opening quote the cursor stands on; leaves the cursor behind the closing one. */
export function scanString(cursor: Cursor): string | typeof failed {
  const { text } = cursor;
  const begin = cursor.at;
  let at = begin + 1;
  let read = '';
  for (;;) {
    const stop = findStop(text, at);
    if (stop >= text.length) return fail(cursor, 'Unterminated string starting at', begin);
    read += text.slice(at, stop);
    const code = text.charCodeAt(stop);
    if (code === quote) {
      cursor.at = stop + 1;
      return read;
    }
    if (code < firstPrintable) return fail(cursor, 'Invalid control character at', stop);
    if (stop + 1 >= text.length) return fail(cursor, 'Unterminated string starting at', begin);
    cursor.at = stop;
    const piece = scanEscape(cursor);
    if (piece === failed) return failed;
    read += piece;
    at = cursor.at;
  }
}

function findStop(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote || code === backslash || code < firstPrintable) break;
  }
  return at;
}

function scanEscape(cursor: Cursor): string | typeof failed {
  const { text, at } = cursor;
  const letter = text.charAt(at + 1);
  if (letter !== 'u') {
    const plain = escapes.get(letter);
    if (plain === undefined) return fail(cursor, 'Invalid \\escape', at);
    cursor.at = at + 2;
    return plain;
  }
  const unit = scanHex(text, at + 2);
  if (unit === null) return fail(cursor, 'Invalid \\uXXXX escape', at + 1);
  cursor.at = at + 6;
  const pairFollows = (unit & 0xfc00) === 0xd800 && text.startsWith('\\u', at + 6) && at + 12 < text.length;
  if (!pairFollows) return String.fromCharCode(unit);
  const low = scanHex(text, at + 8);
  if (low === null) return fail(cursor, 'Invalid \\uXXXX escape', at + 7);
  if ((low & 0xfc00) !== 0xdc00) return String.fromCharCode(unit);
  cursor.at = at + 12;
  return String.fromCharCode(unit, low);
}

/** The four hexadecimal digits at a position; they must not be the last characters of the text. */
function scanHex(text: string, from: number): number | null {
  if (from + 4 >= text.length) return null;
  const digits = text.slice(from, from + 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}
