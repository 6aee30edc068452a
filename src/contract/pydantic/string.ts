import type { Json } from '../json/value.ts';
import type { Checked } from './problem.ts';
import { bad, good, notOneOf, objection, problems, tooLong, tooShort } from './problem.ts';
import { trimWhiteSpace } from './white-space.ts';

export interface StringBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A string as pydantic reads it: nothing is coerced to one; lengths are in code points. */
export function checkString(value: Json, { minLength, maxLength }: StringBounds): Checked<string> {
  if (typeof value !== 'string') return bad(problems.notAString);
  if (minLength === undefined && maxLength === undefined) return good(value);
  if (!value.isWellFormed()) return bad(problems.notUnicode);
  const length = codePoints(value);
  if (minLength !== undefined && length < minLength) return bad(tooShort(minLength));
  if (maxLength !== undefined && length > maxLength) return bad(tooLong(maxLength));
  return good(value);
}

export function checkEnum(value: Json, values: readonly string[]): Checked<string> {
  if (typeof value === 'string' && values.includes(value)) return good(value);
  if (typeof value === 'string' && !value.isWellFormed()) return bad(problems.notUnicode);
  return bad(notOneOf('enum', values));
}

export function checkLiteral(value: Json, literal: string): Checked<string> {
  return value === literal ? good(literal) : bad(notOneOf('literal_error', [literal]));
}

/**
 * Canonical: no surrounding white space, no control characters, and in Unicode's composed form (NFC), so that two
 * spellings of one name cannot be taken for two names.
 */
export function checkCanonical(value: string): Checked<string> {
  if (isPrintableAscii(value) && !value.startsWith(' ') && !value.endsWith(' ')) return good(value);
  if (trimWhiteSpace(value) !== value) return bad(objection('must not begin or end with white space'));
  if (/\p{Cc}/u.test(value)) return bad(objection('must not contain control characters'));
  if (value !== value.normalize('NFC')) return bad(objection('must be in Unicode normalization form C'));
  return good(value);
}

function isPrintableAscii(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function codePoints(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at += 1) {
    if ((value.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  }
  return count;
}
