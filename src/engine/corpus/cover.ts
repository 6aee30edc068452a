import type { Corpus } from './corpus.ts';
import type { Origin } from './vocabulary.ts';

/** What a source's server may be asked to filter by, at the most. */
export const maxCoverBytes = 2048;
/** Shorter substrings would let most lines pass. */
export const minCoverBytes = 4;

const origins: readonly Origin[] = ['kernel', 'scheduler', 'exporter', 'health', 'job'];

/**
 * Of each origin, substrings such that every keyword of every line rule contains one, in lower case: what a server that
 * matches without case may filter by. Greedy by keywords covered, longest first among equals, so that the cover is
 * small and its parts are telling. An origin without one is read unfiltered.
 */
export function coverOf(corpus: Corpus): Readonly<Partial<Record<Origin, readonly string[]>>> {
  const covers: Partial<Record<Origin, readonly string[]>> = {};
  for (const origin of origins) {
    const keywords = new Set(
      corpus.rules.flatMap(({ match }) =>
        match.kind === 'line' && match.origins.includes(origin)
          ? match.keywords.map(keyword => keyword.toLowerCase())
          : [],
      ),
    );
    const cover = keywords.size === 0 ? null : coverKeywords([...keywords].sort());
    if (cover !== null) covers[origin] = cover;
  }
  return covers;
}

/** Lengths to which parts are cut down, one after another, until the cover is small enough. */
const partLengths = [24, 16, 12, 10, 8, 7, 6, 5];

/**
 * Keywords that contain another are covered by it; beyond `maxCoverBytes` common substrings take their place. Null where
 * the keywords share too little: what then stands in a filter would be no filter a server accepts.
 */
export function coverKeywords(keywords: readonly string[]): readonly string[] | null {
  const minimal = withoutLonger(keywords);
  const whole = [...new Set(minimal)].sort();
  if (bytesOf(whole) <= maxCoverBytes) return whole;
  // Where not even the shortest parts are small enough, no longer ones are.
  const shortest = coverBySubstrings(minimal, minCoverBytes);
  if (shortest === null) return null;
  for (const length of partLengths) {
    const cover = coverBySubstrings(minimal, length);
    if (cover !== null) return cover;
  }
  return shortest;
}

/** Those that contain no other. */
function withoutLonger(keywords: readonly string[]): readonly string[] {
  const all = new Set(keywords);
  const lengths = [...new Set(keywords.map(({ length }) => length))];
  return keywords.filter(
    keyword =>
      !lengths.some(
        length => length < keyword.length && [...partsOf(keyword, length)].some(part => all.has(part)),
      ),
  );
}

/**
 * A small set, found by greed, of substrings of at most `length` bytes such that every text contains one; null where it
 * grows beyond `maxCoverBytes`.
 */
function coverBySubstrings(texts: readonly string[], length: number): string[] | null {
  const textsOf = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const part of partsOf(text, length)) {
      const known = textsOf.get(part);
      if (known === undefined) textsOf.set(part, new Set([text]));
      else known.add(text);
    }
  }
  const chosen: string[] = [];
  let room = maxCoverBytes;
  while (textsOf.size > 0) {
    const best = mostShared(textsOf);
    room -= best.length;
    if (room < 0) return null;
    chosen.push(best);
    for (const text of [...(textsOf.get(best) ?? [])]) {
      for (const part of partsOf(text, length)) {
        textsOf.get(part)?.delete(text);
        if (textsOf.get(part)?.size === 0) textsOf.delete(part);
      }
    }
  }
  return chosen.sort();
}

function partsOf(text: string, length: number): ReadonlySet<string> {
  const size = Math.min(length, text.length);
  return new Set(Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size)));
}

/** The part with most texts; among equals the longest, then the first in code unit order. */
function mostShared(textsOf: ReadonlyMap<string, ReadonlySet<string>>): string {
  let best = '';
  let most = 0;
  for (const [part, { size }] of textsOf) {
    if (size < most) continue;
    if (size > most || part.length > best.length || (part.length === best.length && part < best)) {
      best = part;
      most = size;
    }
  }
  return best;
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
