import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countNewlines, newlineCounter, plainNewlines } from './count-newlines.ts';

const counters = [countNewlines, newlineCounter(plainNewlines())];

test('counts as a byte loop does, at any alignment', () => {
  const byte = fc.oneof(fc.constant(10), fc.constantFrom(0, 9, 11, 138, 255), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 3000 }),
      fc.nat(4),
      fc.nat(50),
      fc.nat(50),
      (content, offset, from, short) => {
        const buffer = new ArrayBuffer(offset + content.length);
        const bytes = new Uint8Array(buffer, offset);
        bytes.set(content);
        const start = Math.min(from, content.length);
        const end = Math.max(start, content.length - short);
        const expected = content.slice(start, end).filter(value => value === 10).length;
        for (const count of counters) assert.equal(count(bytes, start, end), expected);
      },
    ),
  );
});

test('counts a long run of line feeds', () => {
  const feeds = new Uint8Array(100_003).fill(10);
  for (const count of counters) assert.equal(count(feeds, 1, 100_000), 99_999);
});
