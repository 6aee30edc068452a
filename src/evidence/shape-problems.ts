import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** What is wrong with the shape of settings: one sentence a place, which never quotes a value. */
export function shapeProblems(schema: TSchema, input: unknown): readonly string[] {
  const found = new Map<string, string>();
  for (const { keyword, instancePath, message, params } of Errors(schema, input)) {
    const place = instancePath.slice(1).replaceAll('/', '.');
    if (!found.has(place)) found.set(place, sentence(keyword, message, params));
  }
  return [...found].map(([place, says]) => `${place === '' ? 'the source' : place}: ${says}`);
}

function sentence(keyword: string, message: string, params: object): string {
  const { additionalProperties, allowedValues } = params as {
    additionalProperties?: readonly string[];
    allowedValues?: readonly unknown[];
  };
  if (keyword === 'additionalProperties') {
    return `has an unknown setting: remove it or correct its name (${additionalProperties?.join(', ')})`;
  }
  return keyword === 'enum' && allowedValues !== undefined
    ? `must be one of ${allowedValues.join(', ')}`
    : message;
}
