/** A stream of random numbers of its own: the same seed gives the same numbers on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number in [from, to]. */
  int(from: number, to: number): number;
  /** In [from, to). */
  between(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** `count` different ones in random order, or all where there are fewer. */
  some<T>(list: readonly T[], count: number): T[];
  shuffled<T>(list: readonly T[]): T[];
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** A stream that depends on seed and label alone, not on what was drawn before. */
  fork(label: string): Random;
}

/** xmur3 spreads a text over 32 bits; sfc32 makes the numbers. Both are in the public domain. */
export function randomOf(seed: string): Random {
  const next = sfc32(seed);
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const shuffled = <T>(list: readonly T[]): T[] => {
    const order = list.map(value => ({ value, key: next() }));
    return order.sort((a, b) => a.key - b.key).map(({ value }) => value);
  };
  return {
    next,
    int,
    between: (from, to) => from + next() * (to - from),
    chance: probability => next() < probability,
    pick(list) {
      const value = list[Math.floor(next() * list.length)];
      if (value === undefined) throw new RangeError('cannot pick from an empty list');
      return value;
    },
    some: (list, count) => shuffled(list).slice(0, count),
    shuffled,
    hex: digits => hexOf(next, digits),
    fork: label => randomOf(`${seed}/${label}`),
  };
}

function hexOf(next: () => number, digits: number): string {
  let text = '';
  while (text.length < digits) {
    text += Math.floor(next() * 4294967296)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, digits);
}

function sfc32(seed: string): () => number {
  let hash = 1779033703 ^ seed.length;
  for (const char of seed) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  const word = (): number => {
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
    hash ^= hash >>> 16;
    return hash | 0;
  };
  let [a, b, c, d] = [word(), word(), word(), word()];
  const step = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let skipped = 0; skipped < 12; skipped += 1) step();
  return step;
}
