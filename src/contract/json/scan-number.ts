import type { Cursor } from './cursor.ts';
import { type failed, failLimit } from './cursor.ts';

/** Python refuses to convert longer integers, since that takes quadratic time. */
export const maxIntegerDigits = 4300;

/**
 * The number the cursor stands on, or null where there is none. Longest match, as Python reads: `01` is a 0 and `1.`
 * a 1, with something left over.
 */
export function scanNumber(cursor: Cursor): bigint | number | null | typeof failed {
  const { text, at: start } = cursor;
  const firstDigit = text.charAt(start) === '-' ? start + 1 : start;
  const afterInteger = text.charAt(firstDigit) === '0' ? firstDigit + 1 : skipDigits(text, firstDigit);
  if (afterInteger === firstDigit) return null;
  const end = skipExponent(text, skipFraction(text, afterInteger));
  cursor.at = end;
  if (end > afterInteger) return Number(text.slice(start, end));
  if (afterInteger - start < 16) return BigInt(Number(text.slice(start, end)));
  if (afterInteger - firstDigit > maxIntegerDigits) {
    return failLimit(cursor, `an integer has more than ${maxIntegerDigits} digits`);
  }
  const magnitude = BigInt(text.slice(firstDigit, end));
  return firstDigit === start ? magnitude : -magnitude;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 0x30 && code <= 0x39; code = text.charCodeAt(at)) at += 1;
  return at;
}

function skipFraction(text: string, from: number): number {
  if (text.charAt(from) !== '.') return from;
  const end = skipDigits(text, from + 1);
  return end === from + 1 ? from : end;
}

function skipExponent(text: string, from: number): number {
  const letter = text.charAt(from);
  if (letter !== 'e' && letter !== 'E') return from;
  const sign = text.charAt(from + 1);
  const digits = sign === '+' || sign === '-' ? from + 2 : from + 1;
  const end = skipDigits(text, digits);
  return end === digits ? from : end;
}
