import type { TSchema } from 'typebox';
import { checkDatetime } from './datetime.ts';
import { checkEnum, checkString } from './string.ts';
import type { Validated } from './validated.ts';
import { absentValue, isCanonical, type Keywords, resolve, type WalkRules } from './walk.ts';

/** Not decided here: the walk decides, and says what is wrong if anything is. */
export const undecided: unique symbol = Symbol('undecided');

type Read = (value: unknown) => unknown;

/**
 * The walk over a schema for values as `JSON.parse` gives them, laid out beforehand for what almost every caller sends:
 * members that need no coercion. What it reads, the walk would read alike; it leaves everything else undecided.
 */
export function compilePlain<S extends TSchema>(
  schema: S,
  rules: WalkRules,
): (value: unknown) => Validated<S> | typeof undecided {
  return compile(schema, rules) as (value: unknown) => Validated<S> | typeof undecided;
}

function compile(schema: Keywords, rules: WalkRules): Read {
  if (schema.$ref !== undefined) return compile(resolve(schema.$ref, rules), rules);
  if (schema.anyOf !== undefined) {
    const read = compile(schema.anyOf[0], rules);
    return value => (value === null ? null : read(value));
  }
  if (schema.type === 'object') return compileObject(schema, rules);
  if (schema.type === 'array') return compileArray(compile(schema.items ?? {}, rules));
  if (schema.type === 'integer') return compileInteger(schema);
  if (schema.format === 'date-time') return compileDatetime(rules);
  if (schema.const !== undefined) return value => (value === schema.const ? value : undecided);
  return compileString(schema, rules);
}

function compileObject(schema: Keywords, rules: WalkRules): Read {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    read: compile(member, rules),
    isRequired: required.includes(name),
    absent: () => absentValue(member),
  }));
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undecided;
    if (additionalProperties === false) return undecided;
    const given = value as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    for (const member of members) {
      const { name } = member;
      if (Object.hasOwn(given, name)) {
        const found = member.read(given[name]);
        if (found === undecided) return undecided;
        read[name] = found;
      } else if (member.isRequired) return undecided;
      else read[name] = member.absent();
    }
    return read;
  };
}

function compileArray(read: Read): Read {
  return value => {
    if (!Array.isArray(value)) return undecided;
    const items: unknown[] = [];
    for (const item of value) {
      const found = read(item);
      if (found === undecided) return undecided;
      items.push(found);
    }
    return items;
  };
}

/** Numbers that are whole and exact; that JSON wrote them with a point or an exponent makes no difference to a whole one. */
function compileInteger({ minimum, exclusiveMinimum }: Keywords): Read {
  return value => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undecided;
    if (minimum !== undefined && value < minimum) return undecided;
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return undecided;
    return BigInt(value);
  };
}

function compileDatetime({ naiveDatetimes }: WalkRules): Read {
  return value => {
    if (typeof value !== 'string') return undecided;
    const checked = checkDatetime(value, naiveDatetimes);
    return checked.ok ? checked.value : undecided;
  };
}

function compileString(schema: Keywords, rules: WalkRules): Read {
  const { enum: words } = schema;
  if (words !== undefined) {
    return value => (typeof value === 'string' && checkEnum(value, words).ok ? value : undecided);
  }
  return value => {
    if (typeof value !== 'string' || !checkString(value, schema).ok) return undecided;
    return isCanonical(schema, value, rules) ? value : undecided;
  };
}
