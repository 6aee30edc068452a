import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { candidateFinder, findCandidates, plainCandidates } from './candidates.ts';
import { foldWord, hashBits, hashWord } from './words.ts';

const plain = candidateFinder(plainCandidates());

test('both loops find the words whose hash the bitmap holds', () => {
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 300 }),
      fc.array(word, { maxLength: 5 }),
      fc.nat(3),
      (text, sought, short) => {
        const all = Int32Array.from(text.flatMap((each, at) => [each, sought[at % 7] ?? ~each]));
        const stretch = new Uint8Array(all.buffer).subarray(0, Math.max(0, all.byteLength - short));
        const bitmap = new Int32Array(2 ** hashBits / 32);
        for (const each of sought) {
          const hash = hashWord(each | foldWord);
          bitmap[hash >>> 5] = (bitmap[hash >>> 5] ?? 0) | (1 << (hash & 31));
        }
        const hashes = new Set(sought.map(each => hashWord(each | foldWord)));
        const whole = all.subarray(0, Math.floor(stretch.length / 4));
        const wanted = [...whole.keys()].filter(at => hashes.has(hashWord((whole[at] ?? 0) | foldWord)));
        for (const find of [findCandidates, plain]) {
          const { count, offsets } = find(bitmap, stretch);
          const found = [...offsets.subarray(0, count)].filter(offset => offset + 4 <= stretch.length);
          assert.deepEqual(
            found,
            wanted.map(at => at * 4),
          );
        }
      },
    ),
  );
});
