/** A value and where it stands, such as `outcome.findings[0].target`. */
export interface Place {
  readonly value: unknown;
  readonly name: string;
}

/** What stands at a place is not what must be there. Its message quotes no value. */
export class Malformed extends Error {
  constructor(place: Place, says: string) {
    super(`${place.name} ${says}`);
    this.name = 'Malformed';
  }
}

export function within(value: unknown, name: string): Place {
  return { value, name };
}

/** Reads a member by its name; a missing one is undefined. */
export type Fields = (name: string) => Place;

export function asObject(place: Place): Fields {
  const { value, name } = place;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Malformed(place, 'is no object');
  }
  return member => ({ value: (value as Record<string, unknown>)[member], name: `${name}.${member}` });
}

const longestList = 10_000;
const longestText = 64 * 1024;

/** Every item of a list, read; an absent list is empty unless it is required. */
export function asList<T>(place: Place, read: (item: Place) => T, need?: 'required'): readonly T[] {
  const { value, name } = place;
  if ((value === undefined || value === null) && need === undefined) return [];
  if (!Array.isArray(value)) throw new Malformed(place, 'is no list');
  if (value.length > longestList) throw new Malformed(place, `has more than ${longestList} items`);
  return Array.from(value, (item: unknown, index) => read({ value: item, name: `${name}[${index}]` }));
}

export function asText(place: Place): string {
  const { value } = place;
  if (typeof value !== 'string') throw new Malformed(place, 'is no text');
  if (value.length > longestText) throw new Malformed(place, `is longer than ${longestText} characters`);
  return value;
}

export function asWhole(place: Place): number {
  const { value } = place;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Malformed(place, 'is no whole number of at least 0');
}

export function wordOf<T extends string>(place: Place, words: readonly T[]): T {
  const word = words.find(candidate => candidate === place.value);
  if (word === undefined) throw new Malformed(place, `is none of ${words.join(', ')}`);
  return word;
}
