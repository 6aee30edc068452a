const newline = 10;
/** After so many words a lane of the packed sum could overflow its byte. */
const wordsPerSum = 255;
const noWords = new Int32Array(0);

/**
 * Number of line feeds in `bytes[from, to)`. Four bytes at a time: main-thread work on every byte of evidence, and a
 * byte loop would cost as much as reading it.
 */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let at = from;
  while (at < to && (bytes.byteOffset + at) % 4 !== 0) if (bytes[at++] === newline) count++;
  const wordCount = Math.max(0, Math.floor((to - at) / 4));
  const words = wordCount > 0 ? new Int32Array(bytes.buffer, bytes.byteOffset + at, wordCount) : noWords;
  for (let start = 0; start < wordCount; start += wordsPerSum) {
    count += countInWords(words, start, Math.min(start + wordsPerSum, wordCount));
  }
  for (at += wordCount * 4; at < to; at++) if (bytes[at] === newline) count++;
  return count;
}

/** Each byte of `sum` counts the line feeds in its lane: `((x & 0x7f..) + 0x7f..) | x` has its high bit unset only for a zero byte. */
function countInWords(words: Int32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    const x = (words[i] ?? 0) ^ 0x0a0a0a0a;
    const notZero = ((x & 0x7f7f7f7f) + 0x7f7f7f7f) | x;
    sum = (sum + ((~notZero >>> 7) & 0x01010101)) | 0;
  }
  return (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24);
}
