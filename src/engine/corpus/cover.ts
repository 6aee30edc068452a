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
 * small and its parts are telling.
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
    if (keywords.size > 0) covers[origin] = coverKeywords([...keywords].sort());
  }
  return covers;
}

/** Keywords that contain another are covered by it; beyond `maxCoverBytes` common substrings take their place. */
export function coverKeywords(keywords: readonly string[]): readonly string[] {
  const minimal = keywords.filter(
    keyword => !keywords.some(other => other !== keyword && keyword.includes(other)),
  );
  let cover = [...new Set(minimal)].sort();
  for (
    let length = longest(cover) - 1;
    bytesOf(cover) > maxCoverBytes && length >= minCoverBytes;
    length -= 1
  ) {
    cover = coverBySubstrings(cover, length);
  }
  return cover;
}

/** The smallest set that greed finds of substrings of at most `length` bytes that hits every text. */
function coverBySubstrings(texts: readonly string[], length: number): string[] {
  const uncovered = new Set(texts);
  const chosen: string[] = [];
  while (uncovered.size > 0) {
    const best = mostShared([...uncovered], length);
    chosen.push(best);
    for (const text of uncovered) if (text.includes(best)) uncovered.delete(text);
  }
  return chosen.sort();
}

function mostShared(texts: readonly string[], length: number): string {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const size = Math.min(length, text.length);
    const parts = new Set<string>();
    for (let at = 0; at + size <= text.length; at += 1) parts.add(text.slice(at, at + size));
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  let best = '';
  for (const [part, count] of counts) {
    const known = counts.get(best) ?? 0;
    if (
      count > known ||
      (count === known && (part.length > best.length || (part.length === best.length && part < best)))
    ) {
      best = part;
    }
  }
  return best;
}

function longest(texts: readonly string[]): number {
  return texts.reduce((length, text) => Math.max(length, text.length), 0);
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
