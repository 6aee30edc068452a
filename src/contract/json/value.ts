/**
 * A JSON value as Python's json module reads it: an integer literal is a bigint of any size, a literal with a fraction
 * or exponent is a number, so that `1` and `1.0` stay apart.
 */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject;

/** Members in the order of their first appearance, whatever their names are (`__proto__` and `7` included). */
export type JsonObject = ReadonlyMap<string, Json>;

/** An object of the given members, in the given order. */
export function jsonObject(members: Readonly<Record<string, Json>>): JsonObject {
  return new Map(Object.entries(members));
}

export function isJsonObject(value: Json): value is JsonObject {
  return value instanceof Map;
}

export function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
