/** Finds which of the lists have a keyword in a text of lower case, in one pass whatever their number. */
export type FindKeywords = (lowered: string) => readonly number[];

interface Keyword {
  readonly word: string;
  readonly list: number;
}

/** `lists` hold keywords in lower case, not empty; the result tells their places, in ascending order. */
export function findKeywords(lists: readonly (readonly string[])[]): FindKeywords {
  const keywords = lists.flatMap((words, list) => words.map((word): Keyword => ({ word, list })));
  const begins = Map.groupBy(keywords, ({ word }) => word.charCodeAt(0));
  const mayBegin = new Uint8Array(places);
  for (const { word } of keywords) for (const place of placesOf(word)) mayBegin[place] = 1;

  /** Three characters, five bits of each, rule out almost every position. */
  return lowered => {
    let found: Set<number> | null = null;
    let place = 0;
    for (let at = -2; at < lowered.length; at += 1) {
      const third = at + 2 < lowered.length ? lowered.charCodeAt(at + 2) : 0;
      place = ((place << 5) | (third & bits)) & (places - 1);
      if (mayBegin[place] !== 1 || at < 0) continue;
      for (const { word, list } of begins.get(lowered.charCodeAt(at)) ?? []) {
        if (lowered.startsWith(word, at)) found = (found ?? new Set()).add(list);
      }
    }
    return found === null ? none : [...found].sort((a, b) => a - b);
  };
}

const none: readonly number[] = [];
const bits = 31;
const places = 1 << 15;
const anyBits = Array.from({ length: bits + 1 }, (_, value) => value);

/** The places of three characters with which a keyword may begin: a short one with any behind it. */
function placesOf(word: string): readonly number[] {
  const [firsts = none, seconds = none, thirds = none] = [0, 1, 2].map(at =>
    at < word.length ? [word.charCodeAt(at) & bits] : anyBits,
  );
  return firsts.flatMap(a => seconds.flatMap(b => thirds.map(c => (a << 10) | (b << 5) | c)));
}
