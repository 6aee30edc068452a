import { findCandidates, stretchBytes } from './candidates.ts';
import { type Frequencies, foldByte, foldWord, hashBits, hashWord, usualFrequencies, wordAt } from './words.ts';

/** Occurrences of keywords, in the order of the words they were found by; lines never go backwards. */
export interface GateHits {
  count: number;
  keywords: Int32Array;
  offsets: Int32Array;
}

/** Finds every occurrence of a set of keywords in bytes, ASCII case-insensitively. */
export interface Gate {
  readonly keywords: readonly string[];
  /**
   * Adds to `hits` every occurrence that lies in `[from, to)`. Hits come by line, not strictly by offset.
   * Keywords whose entry in `muted` is 1 are passed over.
   */
  scan(bytes: Uint8Array, from: number, to: number, hits: GateHits, muted?: Uint8Array): void;
}

/** Shorter keywords need not hold an aligned word. */
const filteredBytes = 7;
const windowWords = 4;

export function gateHits(capacity = 1024): GateHits {
  return { count: 0, keywords: new Int32Array(capacity), offsets: new Int32Array(capacity) };
}

/**
 * The gate for keywords without line breaks. An occurrence of 7 bytes holds, whatever its alignment, one whole aligned
 * 4-byte word: of each keyword one window of 7 bytes is chosen, its 4 words go into a bitmap of hashes, and the scan
 * looks at each aligned word once. What the bitmap lets pass is looked up and compared byte by byte.
 * Frequencies decide which window is chosen: speed depends on them, hits do not.
 */
export function buildGate(keywords: readonly string[], frequencies: Frequencies = usualFrequencies): Gate {
  const folded = keywords.map(keyword =>
    Uint8Array.from(Buffer.from(keyword, 'latin1'), byte => foldByte[byte] ?? 0),
  );
  const long = [...folded.keys()].filter(index => (folded[index]?.length ?? 0) >= filteredBytes);
  const short = [...folded.keys()].filter(index => (folded[index]?.length ?? 0) < filteredBytes);
  const table = buildTable(folded, long, frequencies);
  const scanShort = short.length === 0 ? null : shortScan(folded, short);
  return {
    keywords,
    scan(bytes, from, to, hits, muted) {
      if (long.length > 0) scanWords(table, folded, bytes, from, to, hits, muted);
      if (scanShort === null) return;
      const found = hits.count;
      scanShort(bytes, from, to, hits, muted);
      if (found > 0 && hits.count > found) sortHits(hits);
    },
  };
}

interface WordTable {
  /** One bit for each hash. */
  readonly bitmap: Int32Array;
  /** Open addressing: position in `entries` of the first entry of a word, or -1. */
  readonly slots: Int32Array;
  readonly words: Int32Array;
  readonly mask: number;
  /** Triples: keyword, offset of the word in it, position of the next entry of the same word or -1. */
  readonly entries: Int32Array;
}

function buildTable(
  folded: readonly Uint8Array[],
  long: readonly number[],
  frequencies: Frequencies,
): WordTable {
  const size = 2 ** Math.ceil(Math.log2(Math.max(16, long.length * windowWords * 4)));
  const bitmap = new Int32Array(2 ** hashBits / 32);
  const slots = new Int32Array(size).fill(-1);
  const words = new Int32Array(size);
  const entries = new Int32Array(long.length * windowWords * 3);
  let used = 0;
  for (const keyword of long) {
    const bytes = folded[keyword] ?? new Uint8Array();
    const start = rarestWindow(bytes, frequencies);
    for (let offset = start; offset < start + windowWords; offset += 1) {
      const word = wordAt(bytes, offset);
      const hash = hashWord(word);
      bitmap[hash >>> 5] = (bitmap[hash >>> 5] ?? 0) | (1 << (hash & 31));
      let slot = hash & (size - 1);
      while (slots[slot] !== -1 && words[slot] !== word) slot = (slot + 1) & (size - 1);
      words[slot] = word;
      entries.set([keyword, offset, slots[slot] ?? -1], used);
      slots[slot] = used;
      used += 3;
    }
  }
  return { bitmap, slots, words, mask: size - 1, entries };
}

function rarestWindow(bytes: Uint8Array, frequencies: Frequencies): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start + filteredBytes <= bytes.length; start += 1) {
    let sum = 0;
    for (let word = 0; word < windowWords; word += 1) sum += frequencies(wordAt(bytes, start + word));
    if (sum < least) {
      least = sum;
      best = start;
    }
  }
  return best;
}

function scanWords(
  table: WordTable,
  folded: readonly Uint8Array[],
  bytes: Uint8Array,
  from: number,
  to: number,
  hits: GateHits,
  muted: Uint8Array | undefined,
): void {
  const range = { from, to };
  for (let start = from; start < to; start += stretchBytes) {
    const stretch = bytes.subarray(start, Math.min(start + stretchBytes, to));
    const { count, offsets, words } = findCandidates(table.bitmap, stretch);
    for (let index = 0; index < count; index += 1) {
      const offset = offsets[index] as number;
      const word = (words[offset >> 2] as number) | foldWord;
      probeWord(table, folded, bytes, range, word, start + offset, hits, muted);
    }
  }
}

/** Reports the keywords that really stand around the word at `at`. */
function probeWord(
  { slots, words, mask, entries }: WordTable,
  folded: readonly Uint8Array[],
  bytes: Uint8Array,
  range: { readonly from: number; readonly to: number },
  word: number,
  at: number,
  hits: GateHits,
  muted: Uint8Array | undefined,
): void {
  let slot = hashWord(word) & mask;
  while (slots[slot] !== -1 && words[slot] !== word) slot = (slot + 1) & mask;
  for (let entry = slots[slot] as number; entry !== -1; entry = entries[entry + 2] as number) {
    const keyword = entries[entry] as number;
    if (muted !== undefined && muted[keyword] === 1) continue;
    const start = at - (entries[entry + 1] as number);
    const wanted = folded[keyword] as Uint8Array;
    if (start >= range.from && start + wanted.length <= range.to && equals(bytes, start, wanted))
      addHit(hits, keyword, start);
  }
}

function equals(bytes: Uint8Array, at: number, folded: Uint8Array): boolean {
  for (let index = 0; index < folded.length; index += 1) {
    if (foldByte[bytes[at + index] as number] !== folded[index]) return false;
  }
  return true;
}

function addHit(hits: GateHits, keyword: number, offset: number): void {
  if (hits.count === hits.keywords.length) {
    const keywords = new Int32Array(hits.count * 2);
    const offsets = new Int32Array(hits.count * 2);
    keywords.set(hits.keywords);
    offsets.set(hits.offsets);
    hits.keywords = keywords;
    hits.offsets = offsets;
  }
  hits.keywords[hits.count] = keyword;
  hits.offsets[hits.count] = offset;
  hits.count += 1;
}

function sortHits(hits: GateHits): void {
  const order = Array.from({ length: hits.count }, (_, hit) => hit);
  order.sort((a, b) => (hits.offsets[a] as number) - (hits.offsets[b] as number));
  hits.keywords = Int32Array.from(order, hit => hits.keywords[hit] as number);
  hits.offsets = Int32Array.from(order, hit => hits.offsets[hit] as number);
}

type Scan = Gate['scan'];

/** Short keywords are looked for from each byte that may begin one: slower, so the corpus allows few of them. */
function shortScan(folded: readonly Uint8Array[], short: readonly number[]): Scan {
  const byFirst = new Map<number, number[]>();
  for (const keyword of short) {
    const first = folded[keyword]?.[0];
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), keyword]);
  }
  const begins = Uint8Array.from({ length: 256 }, (_, byte) => (byFirst.has(foldByte[byte] ?? 0) ? 1 : 0));
  return (bytes, from, to, hits, muted) => {
    for (let at = from; at < to; at += 1) {
      if (begins[bytes[at] as number] === 0) continue;
      for (const keyword of byFirst.get(foldByte[bytes[at] as number] as number) ?? []) {
        const wanted = folded[keyword] as Uint8Array;
        if (muted?.[keyword] === 1 || at + wanted.length > to) continue;
        if (equals(bytes, at, wanted)) addHit(hits, keyword, at);
      }
    }
  };
}
