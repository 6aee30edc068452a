/** Sets bit 5 of each byte of a word: makes ASCII letters lower case, and merges some other bytes, which costs no hit. */
export const foldWord = 0x20202020;

/** ASCII letters to lower case; all other bytes stay. */
export const foldByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** Four bytes as a little-endian word, folded. */
export function wordAt(bytes: Uint8Array, at: number): number {
  const word =
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24);
  return word | foldWord;
}

/** The whole aligned words of a range; the first begins up to 3 bytes after `from`. */
export function alignedWords(bytes: Uint8Array, from: number, to: number): Int32Array {
  const first = (bytes.byteOffset + from + 3) & ~3;
  const count = (bytes.byteOffset + to - first) >> 2;
  return count <= 0 ? new Int32Array() : new Int32Array(bytes.buffer, first, count);
}

export const hashBits = 18;
const multiplier = 0x9e3779b1;

/** Spreads words over `hashBits` bits. */
export function hashWord(word: number): number {
  return Math.imul(word, multiplier) >>> (32 - hashBits);
}

/** How often a folded word may be expected, as a number to compare. */
export type Frequencies = (word: number) => number;

/** Letters by how often English and log text use them. */
const commonness = ' etaoinsrdlcumpfghby0v1w2k:./-_3456789=xjqz';

/** What to expect of text that nobody has seen yet: the more common its letters, the more common a word. */
export const usualFrequencies: Frequencies = word => {
  let product = 1;
  for (let shift = 0; shift < 32; shift += 8) {
    const rank = commonness.indexOf(String.fromCharCode((word >>> shift) & 0xff));
    product *= rank < 0 ? 0.002 : 0.1 / (1 + rank / 4);
  }
  return product;
};

/** Counts the aligned words of a sample; words that it lacks are told apart by their letters. */
export function measuredFrequencies(bytes: Uint8Array, from: number, to: number): Frequencies {
  const counts = new Uint32Array(2 ** hashBits);
  for (const word of alignedWords(bytes, from, to)) {
    const hash = hashWord(word | foldWord);
    counts[hash] = (counts[hash] as number) + 1;
  }
  return word => (counts[hashWord(word)] as number) + usualFrequencies(word);
}
