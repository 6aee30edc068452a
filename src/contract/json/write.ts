import { pythonFloat } from './python-float.ts';
import type { Json } from './value.ts';
import { isJsonArray } from './value.ts';

/**
 * Compact JSON as Python's `json.dumps` writes it with `ensure_ascii=False`. Two things it could not send are sent
 * all the same: NaN and the infinities become null, and lone surrogates are escaped.
 */
export function writeJson(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? pythonFloat(value) : 'null';
  if (isJsonArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Array.from(value, ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}
