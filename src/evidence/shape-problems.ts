import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** Telling keywords first: of several mistakes at one place the first is told. */
const keywords = ['additionalProperties', 'required', 'enum', 'pattern', 'type', 'const', 'anyOf'];
/** What the other forms of a union say is of no use where the mistake lies deeper in one of them. */
const ofUnions = ['type', 'const', 'anyOf'];

/** What is wrong with the shape of settings: one sentence a place, which never quotes a value. */
export function shapeProblems(schema: TSchema, input: unknown): readonly string[] {
  const errors = Errors(schema, input)
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ keyword, instancePath, message, params }) => ({
      keyword,
      place: instancePath.slice(1).replaceAll('/', '.'),
      says: sentence(keyword, message, params),
    }));
  const found = new Map<string, string>();
  const rank = (keyword: string): number =>
    (keywords.indexOf(keyword) + keywords.length + 1) % (keywords.length + 1);
  for (const { keyword, place, says } of errors.toSorted((a, b) => rank(a.keyword) - rank(b.keyword))) {
    const deeper = errors.some(other => place !== '' && other.place.startsWith(`${place}.`));
    if (!found.has(place) && !(deeper && ofUnions.includes(keyword))) found.set(place, says);
  }
  return [...found].map(([place, says]) => `${place === '' ? 'the source' : place}: ${says}`);
}

function sentence(keyword: string, message: string, params: object): string {
  const { additionalProperties, allowedValues, requiredProperties } = params as {
    additionalProperties?: readonly string[];
    allowedValues?: readonly unknown[];
    requiredProperties?: readonly string[];
  };
  if (keyword === 'additionalProperties') {
    return `has an unknown setting: remove it or correct its name (${additionalProperties?.join(', ')})`;
  }
  if (keyword === 'required') return `lacks a setting: add ${requiredProperties?.join(', ')}`;
  return keyword === 'enum' && allowedValues !== undefined
    ? `must be one of ${allowedValues.join(', ')}`
    : message;
}
