/**
 * Where an excerpt may begin and end that was cut out of a longer line. A secret is known by the name before it or by the
 * quote, the @ or the length behind: an excerpt with one part of that alone would show what redaction no longer sees.
 */

/** What may lie between the name of a secret and its end: the rest of the name, a sign for "is", the secret. */
const mostWords = 3;
const newKey = '-----BEGIN ';
const endOfKey = '-----END ';

/** The first place from `from` on, `to` at the latest, that no secret reaches which may have begun before `from`. */
export function startAfterCut(text: string, from: number, to: number): number {
  let at = afterQuoted(text, afterKey(text, from, to), to);
  let isBehindName = false;
  for (let words = 0; at < to; words += 1) {
    const next = wordAfter(text, at);
    const isName = mayName(text.slice(at, next));
    if (words >= mostWords && !isName && !isBehindName) break;
    isBehindName = isName;
    at = next;
  }
  return Math.min(at, to);
}

/**
 * The last place up to `to`, after `from`, at which a word ends; `from` where one goes on all the way, and `to` where
 * there would be nothing else.
 */
export function endBeforeCut(text: string, from: number, to: number): number {
  // Behind the end of the text nobody knows what follows.
  for (let at = Math.min(to, text.length - 1); at > from; at -= 1) if (isBetween(text, at)) return at;
  return from === 0 ? to : from;
}

/** What the names of secrets are made of, where no sign but a blank parts them from the secret. */
const stems = [
  'pass',
  'pwd',
  'secret',
  'key',
  'token',
  'cred',
  'auth',
  'login',
  'bearer',
  'basic',
  'digest',
  'name',
];

/** Whether the next word may be the secret that this one, with what stands behind it, is the name of. */
function mayName(word: string): boolean {
  const name = word.trimEnd().toLowerCase();
  return '=:>'.includes(name.at(-1) ?? ':') || name.startsWith('-') || stems.some(stem => name.includes(stem));
}

/** Behind a private key that ends without having begun. */
function afterKey(text: string, from: number, to: number): number {
  const end = text.indexOf(endOfKey, from);
  const begin = text.indexOf(newKey, from);
  return end >= 0 && end < to && (begin < 0 || begin > end) ? end : from;
}

/** Behind the first quote where it is one that closes: everything up to it stood between quotes. */
function afterQuoted(text: string, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    if (!isQuote(text, at)) continue;
    if (opens(text, from, at)) return from;
    if (isBetween(text, at + 1) || ':)]}'.includes(text.charAt(at + 1))) return at + 1;
  }
  return from;
}

function opens(text: string, from: number, quote: number): boolean {
  let before = quote - 1;
  while (before >= from && text.charAt(before) === '\\') before -= 1;
  return before >= from && (isBetween(text, before) || '=:([{'.includes(text.charAt(before)));
}

/** The beginning of the next word: behind the end of this one, quoted or not, and what stands between the two. */
function wordAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBetween(text, at)) at += 1;
  if (isQuote(text, at)) {
    const close = text.indexOf(text.charAt(at), at + 1);
    if (close >= 0) at = close + 1;
  }
  while (at < text.length && !isBetween(text, at)) at += 1;
  while (at < text.length && isBetween(text, at)) at += 1;
  return at;
}

function isQuote(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x22 || code === 0x27;
}

/** A blank, a comma, a semicolon or an ampersand, or the end of the text. */
function isBetween(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    Number.isNaN(code) ||
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    code === 0x2c ||
    code === 0x3b ||
    code === 0x26
  );
}
