import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  anyExamples,
  corpusOf,
  lineMatch,
  ruleFile,
  shippedRuleFiles,
} from '../../../tests/support/rule-files.ts';
import { coverKeywords, coverOf, maxCoverBytes, minCoverBytes } from './cover.ts';

function assertCovers(cover: readonly string[], keywords: readonly string[]): void {
  for (const keyword of keywords) {
    assert.ok(
      cover.some(part => keyword.toLowerCase().includes(part)),
      `${keyword} contains no part of the cover`,
    );
  }
}

test("every keyword of every shipped line rule contains a part of its origin's cover, within 2 KiB", () => {
  const corpus = corpusOf(...shippedRuleFiles());
  const covers = coverOf(corpus);
  for (const { match } of corpus.rules) {
    if (match.kind !== 'line') continue;
    for (const origin of match.origins) assertCovers(covers[origin] ?? [], match.keywords);
  }
  for (const cover of Object.values(covers)) assert.ok(cover.join('').length <= maxCoverBytes);
});

test('any keywords are covered; many are covered by shorter parts', () => {
  const word = fc.string({ minLength: 7, maxLength: 40, unit: fc.constantFrom(...'abc :') });
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 150 }), keywords => {
      const cover = coverKeywords(keywords);
      assert.ok(cover !== null);
      assertCovers(cover, keywords);
      assert.ok(cover.every(part => part.length >= minCoverBytes));
      assert.ok(cover.join('').length <= maxCoverBytes);
    }),
    { numRuns: 40 },
  );
});

test('hundreds of keywords with parts in common fit into 2 KiB', () => {
  const keywords = Array.from(
    { length: 400 },
    (_, index) => `subsystem ${index % 40}: failure number ${index}`,
  );
  const cover = coverKeywords(keywords);
  assert.ok(cover !== null);
  assertCovers(cover, keywords);
  assert.ok(cover.join('').length <= maxCoverBytes);
});

test('a keyword within another covers both, and origins have covers of their own', () => {
  const corpus = corpusOf(
    ruleFile('a', {
      match: lineMatch({ keywords: ['Fallen Off', 'has fallen off the bus'] }),
      examples: anyExamples,
    }),
    ruleFile('b', { match: lineMatch({ origins: ['job'], keywords: ['job text'] }), examples: anyExamples }),
  );
  assert.deepEqual(coverOf(corpus), { kernel: ['fallen off'], job: ['job text'] });
});

test('thousands of keywords with nothing in common have no cover, which is found out at once', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  let state = 7;
  const letter = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return letters[Math.floor((state / 2 ** 31) * letters.length)] ?? 'a';
  };
  const keywords = Array.from({ length: 5_000 }, () => Array.from({ length: 14 }, letter).join(''));
  assert.equal(coverKeywords(keywords), null);
  const rules = keywords
    .slice(0, 900)
    .map((keyword, at) =>
      ruleFile(`site/r${at}`, { match: lineMatch({ keywords: [keyword] }), examples: anyExamples }),
    );
  assert.deepEqual(coverOf(corpusOf(...rules)), {});
});
