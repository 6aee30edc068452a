import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newestLines } from './newest-lines.ts';

test('however a text is cut, the newest lines that fit are kept in order', () => {
  const line = fc.stringMatching(/^[a-zé€]{1,20}$/);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 60, max: 300 }),
      fc.nat(7),
      (lines, budget, size) => {
        const newest = newestLines(budget);
        const text = lines.map(each => `${each}\n`).join('');
        for (let at = 0; at < text.length; at += size + 1)
          newest.add(text.slice(at, at + size + 1), () => null);
        const kept = newest.lines().map(({ text: kept }) => kept);
        assert.deepEqual(kept, kept.length === 0 ? [] : lines.slice(-kept.length));
        assert.ok(Buffer.byteLength(kept.join('\n')) <= budget);
        assert.equal(newest.isCut(), kept.length < lines.length);
        const next = lines.at(-kept.length - 1);
        if (next !== undefined) assert.ok(Buffer.byteLength([next, ...kept].join('\n')) > budget);
      },
    ),
  );
});

test('a line longer than the budget is cut at its end', () => {
  const newest = newestLines(4);
  newest.add('abcdefgh\n', () => 5n);
  assert.deepEqual(newest.lines(), [{ text: 'abcd', stored: 5n }]);
  assert.ok(newest.isCut());
  const wide = newestLines(4);
  wide.add('a€b€\n', () => null);
  assert.deepEqual(
    wide.lines().map(({ text }) => text),
    ['a€'],
  );
});
