interface Encoding {
  /** Bytes of a code unit; 1 is UTF-8. */
  readonly width: 1 | 2 | 4;
  readonly little: boolean;
}

const utf8: Encoding = { width: 1, little: false };
const utf16Big: Encoding = { width: 2, little: false };
const utf16Little: Encoding = { width: 2, little: true };
const utf32Big: Encoding = { width: 4, little: false };
const utf32Little: Encoding = { width: 4, little: true };

/** Byte order marks; those of UTF-32 first, since one of them begins with one of UTF-16. */
const marks: readonly (readonly [readonly number[], Encoding])[] = [
  [[0x00, 0x00, 0xfe, 0xff], utf32Big],
  [[0xff, 0xfe, 0x00, 0x00], utf32Little],
  [[0xfe, 0xff], utf16Big],
  [[0xff, 0xfe], utf16Little],
  [[0xef, 0xbb, 0xbf], utf8],
];

/**
 * The text of a JSON body, or null where its bytes are not valid in their encoding. The encoding is found as Python's
 * json module finds it: by a byte order mark, else by where the zeros of the first character lie. As there, encoded
 * lone surrogates pass.
 */
export function decodeJsonText(bytes: Uint8Array): string | null {
  if (isPlainlyUtf8(bytes)) return decodeUtf8(bytes);
  const marked = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  const [mark, encoding] = marked ?? [[], guessEncoding(bytes)];
  const body = bytes.subarray(mark.length);
  return encoding.width === 1 ? decodeUtf8(body) : decodeUnits(body, encoding.width, encoding.little);
}

/** UTF-8 with U+FFFD for what is invalid: for quoting a body that is not read as JSON. */
export function decodeLoosely(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Begins as JSON in UTF-8 does without a byte order mark: with two characters of ASCII. */
function isPlainlyUtf8(bytes: Uint8Array): boolean {
  const [a = 0, b = 0] = [bytes[0], bytes[1]];
  return a > 0 && a < 0x80 && b > 0 && b < 0x80;
}

function guessEncoding(bytes: Uint8Array): Encoding {
  const [a, b, c, d] = bytes;
  if (bytes.length === 2) return a === 0 ? utf16Big : b === 0 ? utf16Little : utf8;
  if (bytes.length < 4) return utf8;
  if (a === 0) return b === 0 ? utf32Big : utf16Big;
  if (b === 0) return c === 0 && d === 0 ? utf32Little : utf16Little;
  return utf8;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  return decodeStrictUtf8(bytes) ?? decodeUtf8WithSurrogates(bytes);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeStrictUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** ED A0..BF XX encodes a surrogate; no valid sequence holds those bytes elsewhere, so the text splits at them. */
function decodeUtf8WithSurrogates(bytes: Uint8Array): string | null {
  const parts: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
    const before = decodeStrictUtf8(bytes.subarray(from, at));
    if (before === null) return null;
    parts.push(before, String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)));
    from = at + 3;
  }
  const rest = decodeStrictUtf8(bytes.subarray(from));
  return rest === null ? null : parts.join('') + rest;
}

function decodeUnits(bytes: Uint8Array, width: 2 | 4, little: boolean): string | null {
  if (bytes.length % width !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += width) {
    const code = width === 2 ? view.getUint16(at, little) : view.getUint32(at, little);
    if (code > 0x10ffff) return null;
    parts.push(width === 2 ? String.fromCharCode(code) : String.fromCodePoint(code));
  }
  return parts.join('');
}
