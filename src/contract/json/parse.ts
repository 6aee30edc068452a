import type { Cursor, JsonFailure } from './cursor.ts';
import { codePointsBefore, fail, failed, failLimit, skipSpace } from './cursor.ts';
import { scanNumber } from './scan-number.ts';
import { scanString } from './scan-string.ts';
import type { Json } from './value.ts';

/** Arrays and objects inside each other; Python's own parser gives up a little later. */
export const maxDepth = 900;

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: JsonFailure };

/**
 * Reads a JSON text as Python 3.11's `json.loads` does: same values (NaN and the infinities too, and of members with
 * one name the last), same message and position for what is broken. Positions are counted in code points.
 */
export function parseJson(text: string): ParsedJson {
  const cursor: Cursor = { text, at: 0, failure: null };
  skipSpace(cursor);
  const value = scanValue(cursor, 0);
  if (value !== failed) {
    skipSpace(cursor);
    if (cursor.at === text.length) return { ok: true, value };
    fail(cursor, 'Extra data', cursor.at);
  }
  const { kind, message, at } = cursor.failure ?? { kind: 'syntax', message: 'Expecting value', at: 0 };
  return { ok: false, failure: { kind, message, at: codePointsBefore(text, at) } };
}

/** Words by their first character. */
const words: ReadonlyMap<string, readonly [string, Json]> = new Map<string, readonly [string, Json]>([
  ['n', ['null', null]],
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['N', ['NaN', Number.NaN]],
  ['I', ['Infinity', Number.POSITIVE_INFINITY]],
  ['-', ['-Infinity', Number.NEGATIVE_INFINITY]],
]);

function scanValue(cursor: Cursor, depth: number): Json | typeof failed {
  const { text, at } = cursor;
  const first = text.charAt(at);
  if (first === '"') return scanString(cursor);
  if (first === '{' || first === '[') {
    if (depth >= maxDepth) return failLimit(cursor, `nested deeper than ${maxDepth} levels`);
    cursor.at = at + 1;
    return first === '{' ? scanObject(cursor, depth + 1) : scanArray(cursor, depth + 1);
  }
  const word = words.get(first);
  if (word !== undefined && text.startsWith(word[0], at)) {
    cursor.at = at + word[0].length;
    return word[1];
  }
  return scanNumber(cursor) ?? fail(cursor, 'Expecting value', at);
}

function scanObject(cursor: Cursor, depth: number): Json | typeof failed {
  const { text } = cursor;
  const members = new Map<string, Json>();
  skipSpace(cursor);
  if (take(cursor, '}')) return members;
  for (;;) {
    if (text.charAt(cursor.at) !== '"') {
      return fail(cursor, 'Expecting property name enclosed in double quotes', cursor.at);
    }
    const name = scanString(cursor);
    if (name === failed) return failed;
    skipSpace(cursor);
    if (!take(cursor, ':')) return fail(cursor, "Expecting ':' delimiter", cursor.at);
    skipSpace(cursor);
    const value = scanValue(cursor, depth);
    if (value === failed) return failed;
    members.set(name, value);
    skipSpace(cursor);
    if (take(cursor, '}')) return members;
    if (!take(cursor, ',')) return fail(cursor, "Expecting ',' delimiter", cursor.at);
    skipSpace(cursor);
  }
}

function scanArray(cursor: Cursor, depth: number): Json | typeof failed {
  const items: Json[] = [];
  skipSpace(cursor);
  if (take(cursor, ']')) return items;
  for (;;) {
    const value = scanValue(cursor, depth);
    if (value === failed) return failed;
    items.push(value);
    skipSpace(cursor);
    if (take(cursor, ']')) return items;
    if (!take(cursor, ',')) return fail(cursor, "Expecting ',' delimiter", cursor.at);
    skipSpace(cursor);
  }
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text.charAt(cursor.at) !== character) return false;
  cursor.at += 1;
  return true;
}
