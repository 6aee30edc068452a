import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './parse.ts';
import type { Json } from './value.ts';
import { isJsonArray, isJsonObject } from './value.ts';
import { writeJson } from './write.ts';

function read(text: string): Json {
  const parsed = parseJson(text);
  assert.ok(parsed.ok, text);
  return parsed.value;
}

/** The value as JSON.parse would give it. */
function toPlain(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map(toPlain);
  if (isJsonObject(value))
    return Object.fromEntries(Array.from(value, ([name, item]) => [name, toPlain(item)]));
  return value;
}

test('integers and floats stay apart, integers are exact', () => {
  assert.deepEqual(read('[1, 1.0, 1e0, -0, -0.0, 12345678901234567890123]'), [
    1n,
    1,
    1,
    0n,
    -0,
    12_345_678_901_234_567_890_123n,
  ]);
});

test("Python's words for numbers that are none", () => {
  assert.deepEqual(read('[NaN, Infinity, -Infinity, 1e400]'), [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
});

test('members keep the order of their first appearance and the value of their last', () => {
  const value = read('{"b":1,"7":2,"__proto__":3,"b":4}');
  assert.ok(isJsonObject(value));
  assert.deepEqual(
    [...value],
    [
      ['b', 4n],
      ['7', 2n],
      ['__proto__', 3n],
    ],
  );
});

test('escapes, pairs of surrogates and lone ones', () => {
  assert.equal(read('"\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9"'), '" \\ / \b \f \n \r \t é');
  assert.equal(read('"\\ud83d\\ude00"'), '😀');
  assert.equal(read('"\\ud83d\\u0041"'), '\ud83dA');
  assert.equal(read('"\\ude00\\ud83d"'), '\ude00\ud83d');
});

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      assert.deepEqual(toPlain(read(spaced)), JSON.parse(spaced));
    }),
  );
});

test('any text is JSON for both parsers or for none', () => {
  const piece = fc.constantFrom(...'{}[]",:\\u0-.eE+1 \n\u0001é', 'true', 'null', '\\ud83d', '1.5', '"a"');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const text = pieces.join('');
      assert.equal(parseJson(text).ok, isJson(text), text);
    }),
    { numRuns: 20_000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('what is written is read as the same value', () => {
  const { value } = fc.letrec<{ value: Json; list: Json; object: Json }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      fc.bigInt(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map(members => new Map(members)),
  }));
  fc.assert(fc.property(value, given => assert.deepEqual(read(writeJson(given)), given)));
});
