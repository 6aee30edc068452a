import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDocuments } from './find-documents.ts';

/** Lines whose prefix is `prefix: `. */
const messageAt = (line: string): number => (line.startsWith('prefix: ') ? 8 : 0);
const found = (...lines: readonly string[]) =>
  findDocuments(lines, messageAt).found.map(({ from, to, value }) => ({ from, to, value }));

test('a document stands on one line, after a prefix, or at the end of a message', () => {
  assert.deepEqual(found('x', '{"a":1}', 'prefix: {"b":2}', 'prefix: result [{"c":3}]', 'y'), [
    { from: 1, to: 2, value: { a: 1 } },
    { from: 2, to: 3, value: { b: 2 } },
    { from: 3, to: 4, value: [{ c: 3 }] },
  ]);
});

test('a document goes on over many lines, with or without a prefix on each', () => {
  const value = { a: [{ b: 'x } ] "' }], c: {} };
  const lines = JSON.stringify(value, null, 2).split('\n');
  assert.deepEqual(found('before', ...lines, 'after'), [{ from: 1, to: 1 + lines.length, value }]);
  const prefixed = lines.map(line => `prefix: ${line}`);
  assert.deepEqual(found('before', ...prefixed, 'after'), [{ from: 1, to: 1 + lines.length, value }]);
  const list = JSON.stringify([value], null, 1).split('\n');
  assert.deepEqual(found(...list), [{ from: 0, to: list.length, value: [value] }]);
});

test('what is broken off, broken or followed by text is none, and what comes after it is found', () => {
  assert.deepEqual(found('{"a":', '{"b":1}'), [{ from: 1, to: 2, value: { b: 1 } }]);
  assert.deepEqual(found('{"a":1} and text', 'epilog[7310]: done', '}{', '{a:1}', '{"b":1'), []);
  assert.deepEqual(found('{', '"open string', '}'), []);
});

const lost = (...lines: readonly string[]) =>
  findDocuments(lines, messageAt).lost.map(({ from, to, reason }) => [from, to, reason]);

test('a document of more than 64 levels, or that is too long, is told, and what comes after it is found', () => {
  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
  const tooDeep = 'a JSON document of more than 64 levels was not read';
  assert.deepEqual(found('x', deep, '{"b":1}'), [{ from: 2, to: 3, value: { b: 1 } }]);
  assert.deepEqual(lost('x', deep, '{"b":1}'), [[1, 2, tooDeep]]);
  const long = JSON.stringify(
    { a: Array.from({ length: 3000 }, () => ({ b: 'c'.repeat(2000) })) },
    null,
    1,
  ).split('\n');
  assert.deepEqual(found(...long, '{"b":1}'), [{ from: long.length, to: long.length + 1, value: { b: 1 } }]);
  assert.deepEqual(lost(...long, '{"b":1}'), [
    [0, long.length, 'a JSON document of more than 4194304 characters was not read'],
  ]);
});

test('what is broken off is told with the lines it may reach to', () => {
  const broken = 'a JSON document that is broken off, or is no JSON, was not read';
  assert.deepEqual(lost('{"a":', '{"b":1}', 'x'), [[0, 3, broken]]);
  assert.deepEqual(lost('prefix: check: {"a":', 'x'), [[0, 1, broken]]);
  assert.deepEqual(lost('{"a":1} and text'), [[0, 1, broken]]);
  assert.deepEqual(lost('{"a":1}', 'x', '[1]'), []);
});

test('many beginnings that lead nowhere end, and that is told', () => {
  const column = findDocuments(['prefix: check x: {"a":1}'], messageAt).found[0]?.column;
  assert.equal(column, 'prefix: check x: '.length);
  const nowhere = findDocuments(
    Array.from({ length: 20_000 }, () => '{'),
    messageAt,
  );
  assert.deepEqual(nowhere.found, []);
  assert.match(nowhere.lost.at(-1)?.reason ?? '', /led nowhere/);
});

test('any document is found whole among lines that are none', () => {
  const plain = fc.string({ maxLength: 40 }).filter(text => !/[{}[\]"\n\r]/.test(text));
  fc.assert(
    fc.property(
      fc.array(plain),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }),
      fc.integer({ min: 0, max: 4 }),
      fc.array(plain),
      (before, value, indent, after) => {
        const text = JSON.stringify(value, null, indent);
        const lines = text.split('\n');
        const parsed: unknown = JSON.parse(text);
        const expected = [{ from: before.length, to: before.length + lines.length, value: parsed }];
        assert.deepEqual(found(...before, ...lines, ...after), expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('arbitrary text is read without an exception', () => {
  const bits = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', 'prefix: ', ' ', '\n');
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 200 }), parts => {
      for (const { from, to } of found(...parts.join('').split('\n'))) assert.ok(from < to);
    }),
    { numRuns: 1000 },
  );
});
