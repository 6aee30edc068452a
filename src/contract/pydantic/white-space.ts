/**
 * Without the characters of Unicode's White_Space property at both ends. JavaScript's own `trim` takes U+FEFF away as
 * well and leaves U+0085.
 */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isWhiteSpace(character: string): boolean {
  return /^\p{White_Space}$/u.test(character);
}
