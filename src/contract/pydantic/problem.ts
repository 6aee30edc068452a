import type { JsonObject } from '../json/value.ts';
import { jsonObject } from '../json/value.ts';

/** What is wrong with one value, in pydantic's words. */
export interface Problem {
  readonly type: string;
  readonly msg: string;
  readonly ctx: JsonObject | null;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export function good<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function bad(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

function fixed(type: string, msg: string): Problem {
  return { type, msg, ctx: null };
}

/** Problems that read the same whatever the value. */
export const problems = {
  missing: fixed('missing', 'Field required'),
  extraForbidden: fixed('extra_forbidden', 'Extra inputs are not permitted'),
  notAnObject: fixed(
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ),
  notAList: fixed('list_type', 'Input should be a valid list'),
  notAString: fixed('string_type', 'Input should be a valid string'),
  notUnicode: fixed(
    'string_unicode',
    'Input should be a valid string, unable to parse raw data as a unicode string',
  ),
  notAnInteger: fixed('int_type', 'Input should be a valid integer'),
  unreadableInteger: fixed(
    'int_parsing',
    'Input should be a valid integer, unable to parse string as an integer',
  ),
  fractionalInteger: fixed(
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  ),
  hugeInteger: fixed('int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size'),
  notFinite: fixed('finite_number', 'Input should be a finite number'),
  notADatetime: fixed('datetime_type', 'Input should be a valid datetime'),
  naiveDatetime: fixed('timezone_aware', 'Input should have timezone info'),
} as const;

export function belowMinimum(minimum: bigint): Problem {
  const msg = `Input should be greater than or equal to ${minimum}`;
  return { type: 'greater_than_equal', msg, ctx: jsonObject({ ge: minimum }) };
}

export function notAbove(bound: bigint): Problem {
  return { type: 'greater_than', msg: `Input should be greater than ${bound}`, ctx: jsonObject({ gt: bound }) };
}

export function tooShort(minimum: number): Problem {
  const msg = `String should have at least ${minimum} ${characters(minimum)}`;
  return { type: 'string_too_short', msg, ctx: jsonObject({ min_length: BigInt(minimum) }) };
}

export function tooLong(maximum: number): Problem {
  const msg = `String should have at most ${maximum} ${characters(maximum)}`;
  return { type: 'string_too_long', msg, ctx: jsonObject({ max_length: BigInt(maximum) }) };
}

function characters(count: number): string {
  return count === 1 ? 'character' : 'characters';
}

/** `type` is `enum` for an enumeration, `literal_error` for a literal. */
export function notOneOf(type: 'enum' | 'literal_error', values: readonly string[]): Problem {
  const quoted = values.map(value => `'${value}'`);
  const expected = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
  return { type, msg: `Input should be ${expected}`, ctx: jsonObject({ expected }) };
}

/** A string that is no datetime; `reason` is of the date parser. */
export function unreadableDatetime(reason: string): Problem {
  const msg = `Input should be a valid datetime or date, ${reason}`;
  return { type: 'datetime_from_date_parsing', msg, ctx: jsonObject({ error: reason }) };
}

/** A number, or a well-formed string, that names no time the calendar has. */
export function impossibleDatetime(reason: string): Problem {
  const msg = `Input should be a valid datetime, ${reason}`;
  return { type: 'datetime_parsing', msg, ctx: jsonObject({ error: reason }) };
}

/** A validator's own objection; FastAPI sends the exception as an empty object. */
export function objection(reason: string): Problem {
  return { type: 'value_error', msg: `Value error, ${reason}`, ctx: jsonObject({ error: new Map() }) };
}
