import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findKeywords } from './find-keywords.ts';
import { secretPatterns } from './secret-patterns.ts';

const lists = secretPatterns.map(({ keywords }) => keywords);

/** The same, one keyword after the other. */
const includedIn = (text: string): readonly number[] =>
  [...lists.keys()].filter(list => lists[list]?.some(word => text.includes(word)) === true);

test('the lists found are those of which the text includes a keyword', () => {
  const find = findKeywords(lists);
  const words = lists.flat();
  const pieces = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom(...words).map(word => word.slice(0, -1)),
    fc.constantFrom('@', '-', 's', 'é', '\u0000', '\u{1f680}', ' '),
    fc.string({ unit: 'binary' }),
  );
  const texts = fc.array(pieces, { maxLength: 6 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(texts, text => {
      assert.deepEqual(find(text), includedIn(text));
    }),
    { numRuns: 2_000 },
  );
});

test('keywords of one character and of two are found at the end of a text', () => {
  const find = findKeywords([['@'], ['--'], ['gh']]);
  assert.deepEqual(find('a@'), [0]);
  assert.deepEqual(find('@\u00e9'), [0]);
  assert.deepEqual(find('x --'), [1]);
  assert.deepEqual(find('g --gh'), [1, 2]);
  assert.deepEqual(find(''), []);
});
