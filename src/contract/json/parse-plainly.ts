import { maxDepth } from './parse.ts';
import { maxIntegerDigits } from './scan-number.ts';

/**
 * A JSON text by the runtime's own parser, many times as fast as ours, or undefined where the text is no JSON or the two
 * might disagree: about depth, about the length of integers. Integers and fractions are not told apart.
 */
export function parsePlainly(text: string): unknown {
  if (mayNestTooDeep(text) || hasLongInteger(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Each level takes a bracket. */
function mayNestTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let left = maxDepth;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** So many digits in a row cover one of the places looked at. */
function hasLongInteger(text: string): boolean {
  for (let place = maxIntegerDigits; place < text.length; place += maxIntegerDigits) {
    let from = place;
    let to = place;
    while (isDigit(text, from - 1)) from -= 1;
    while (isDigit(text, to)) to += 1;
    if (to - from > maxIntegerDigits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
