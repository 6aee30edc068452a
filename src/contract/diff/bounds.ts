import type { Plain } from '../plain.ts';
import { member, number, sameJson } from '../plain.ts';
import type { Comparison, DifferenceKind, Sides } from './difference.ts';
import { namesOf, quote, report } from './difference.ts';

interface Limit {
  readonly value: number;
  /** The value itself is outside. */
  readonly open: boolean;
}

/** Compares what narrows the values of one type: limits, format, pattern and what else JSON Schema has. */
export function compareBounds(
  path: string,
  type: string | null,
  sides: Sides<Plain>,
  comparison: Comparison,
): void {
  compareLimits(path, 'lowest value', lowest(sides.sender, type), lowest(sides.receiver, type), 1, comparison);
  compareLimits(
    path,
    'highest value',
    highest(sides.sender, type),
    highest(sides.receiver, type),
    -1,
    comparison,
  );
  for (const [keyword, sign, says] of countKeywords) {
    const [sender, receiver] = [sides.sender, sides.receiver].map(schema => countLimit(schema, keyword, sign));
    compareLimits(path, says, sender ?? null, receiver ?? null, sign, comparison);
  }
  for (const [keyword, kind] of restrictions) compareRestriction(path, keyword, kind, sides, comparison);
}

const countKeywords: readonly (readonly [string, 1 | -1, string])[] = [
  ['minLength', 1, 'least length'],
  ['maxLength', -1, 'greatest length'],
  ['minItems', 1, 'least number of items'],
  ['maxItems', -1, 'greatest number of items'],
  ['minProperties', 1, 'least number of members'],
  ['maxProperties', -1, 'greatest number of members'],
];

/** Keywords of which only the receiver's counts, and whose meanings cannot be compared but by being equal. */
const restrictions: readonly (readonly [string, DifferenceKind])[] = [
  ['format', 'format'],
  ['pattern', 'keyword'],
  ['multipleOf', 'keyword'],
  ['uniqueItems', 'keyword'],
  ['prefixItems', 'keyword'],
  ['contains', 'keyword'],
  ['minContains', 'keyword'],
  ['maxContains', 'keyword'],
  ['propertyNames', 'keyword'],
  ['patternProperties', 'keyword'],
  ['dependentRequired', 'keyword'],
  ['dependentSchemas', 'keyword'],
  ['unevaluatedProperties', 'keyword'],
  ['unevaluatedItems', 'keyword'],
  ['not', 'keyword'],
  ['if', 'keyword'],
  ['then', 'keyword'],
  ['else', 'keyword'],
];

function lowest(schema: Plain, type: string | null): Limit | null {
  return valueLimit(schema, 'minimum', 'exclusiveMinimum', type, 1);
}

function highest(schema: Plain, type: string | null): Limit | null {
  return valueLimit(schema, 'maximum', 'exclusiveMaximum', type, -1);
}

/** OpenAPI 3.0 says `exclusiveMinimum: true` of `minimum`; an open limit of integers is the closed one beside it. */
function valueLimit(
  schema: Plain,
  closed: string,
  open: string,
  type: string | null,
  sign: 1 | -1,
): Limit | null {
  const at = number(member(schema, closed));
  const beyond = member(schema, open) === true ? at : number(member(schema, open));
  const isOpen = beyond !== null && (at === null || sign * (beyond - at) >= 0);
  const value = isOpen ? beyond : at;
  if (value === null) return null;
  return isOpen && type === 'integer' ? { value: value + sign, open: false } : { value, open: isOpen };
}

function countLimit(schema: Plain, keyword: string, sign: 1 | -1): Limit | null {
  const value = number(member(schema, keyword));
  return value === null || (sign === 1 && value === 0) ? null : { value, open: false };
}

function compareLimits(
  path: string,
  what: string,
  sender: Limit | null,
  receiver: Limit | null,
  sign: 1 | -1,
  comparison: Comparison,
): void {
  if (sameJson(sender, receiver)) return;
  const breaking = receiver !== null && (sender === null || isTighter(receiver, sender, sign));
  const names = namesOf(comparison);
  const says =
    `the ${what} is ${describe(receiver)} in ${names.receiver} and ${describe(sender)} in ${names.sender}` +
    (breaking ? `, so ${names.receiver} refuses some of what ${names.sender} allows` : '');
  report(comparison, path, 'bound', breaking, says);
}

function isTighter(a: Limit, b: Limit, sign: 1 | -1): boolean {
  return a.value === b.value ? a.open && !b.open : sign * (a.value - b.value) > 0;
}

function describe(limit: Limit | null): string {
  if (limit === null) return 'not set';
  return limit.open ? `${limit.value} (itself excluded)` : String(limit.value);
}

function compareRestriction(
  path: string,
  keyword: string,
  kind: DifferenceKind,
  sides: Sides<Plain>,
  comparison: Comparison,
): void {
  const sender = member(sides.sender, keyword);
  const receiver = member(sides.receiver, keyword);
  if (sameJson(sender ?? false, receiver ?? false)) return;
  const names = namesOf(comparison);
  const says = `${keyword} is ${quote(receiver)} in ${names.receiver} and ${quote(sender)} in ${names.sender}`;
  report(comparison, path, kind, receiver !== undefined && receiver !== false, says);
}
