/** Chance that comes from numbers alone: the same seed draws the same. */
export interface Random {
  /** A whole number from 0 up to, but without, `limit`; 0 where that is 0. */
  below(limit: number): number;
  /** True `share` of the times. */
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Draws for one run of one parser: runs can be repeated without those before them. */
export function randomOf(seed: number, parser: string, run: number): Random {
  let state = mix(mix(hash(parser) ^ seed) + run);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  };
  const below = (limit: number): number => (limit <= 0 ? 0 : next() % limit);
  return {
    below,
    chance: share => next() < share * 0x1_0000_0000,
    pick: items => items[below(items.length)] ?? items[0],
  };
}

function hash(text: string): number {
  let word = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
  return word | 0;
}

function mix(word: number): number {
  let mixed = word | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16);
}
