import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxDepth, parseJson } from './parse.ts';
import { parsePlainly } from './parse-plainly.ts';
import { maxIntegerDigits } from './scan-number.ts';
import type { Json } from './value.ts';

const nested = (depth: number, inside = '0'): string => '['.repeat(depth) + inside + ']'.repeat(depth);
const integer = (digits: number): string => '7'.repeat(digits);

test('what it reads, our own parser reads alike', () => {
  const edits = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom('', '"', '[', '}', '\\', '1', '.', 'e', ' ', 'NaN')),
    {
      maxLength: 3,
    },
  );
  const texts = fc.tuple(fc.json(), edits).map(([json, changes]) =>
    changes.reduce((text, [place, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + 1);
    }, json),
  );
  fc.assert(
    fc.property(texts, text => {
      const plain = parsePlainly(text);
      const read = parseJson(text);
      if (plain === undefined) return;
      assert.ok(read.ok, text);
      assert.deepEqual(withoutNames(plain), withoutKinds(read.value));
    }),
    { numRuns: 2_000 },
  );
});

test('a text that nests deeper than our own parser follows is left to it', () => {
  assert.notEqual(parsePlainly(nested(maxDepth)), undefined);
  assert.equal(parsePlainly(nested(maxDepth + 1)), undefined);
  assert.equal(parsePlainly(`{"a":${nested(maxDepth)}}`), undefined);
});

test('an integer longer than our own parser reads is left to it, wherever it stands', () => {
  for (const before of [0, 1, 4_000, 4_299, 4_300, 9_000]) {
    const text = (digits: number): string =>
      `["${'x'.repeat(before)}",${integer(digits)},"${'x'.repeat(5_000)}"]`;
    assert.equal(parseJson(text(maxIntegerDigits + 1)).ok, false);
    assert.equal(parsePlainly(text(maxIntegerDigits + 1)), undefined);
    assert.notEqual(parsePlainly(text(maxIntegerDigits)), undefined);
  }
});

/** Objects as lists of their members, in the order of names: JSON.parse puts those that look like numbers first. */
function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, withoutNames(member)])
    .sort(byName);
}

function withoutKinds(value: Json): unknown {
  if (Array.isArray(value)) return value.map(withoutKinds);
  if (value instanceof Map)
    return [...value].map(([name, member]) => [name, withoutKinds(member)]).sort(byName);
  return typeof value === 'bigint' ? Number(value) : value;
}

function byName([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}
