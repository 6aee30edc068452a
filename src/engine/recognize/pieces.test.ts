import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { piecesOf } from './pieces.ts';

const line = fc.oneof(
  fc.constant(''),
  fc.string({ maxLength: 40, unit: fc.constantFrom(...'ab \r') }),
  fc.integer({ min: 900, max: 3000 }).map(length => 'x'.repeat(length)),
  fc.integer({ min: 65_000, max: 140_000 }).map(length => 'y'.repeat(length)),
);

test('gives the line that holds an offset, wherever it was asked for before', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.boolean(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      fc.nat({ max: 3 }),
      (lines, ended, asked, shift) => {
        const text = `${lines.join('\n')}${ended ? '\n' : 'z'}`;
        const bytes = new Uint8Array(Buffer.from(' '.repeat(shift) + text)).subarray(shift);
        const pieces = piecesOf(bytes, bytes.length, 7);
        for (const wanted of asked) {
          const at = wanted % bytes.length;
          if (text[at] === '\n') continue;
          const piece = pieces.at(at);
          const from = text.lastIndexOf('\n', at) + 1;
          const next = text.indexOf('\n', at);
          const inLine = Math.floor((at - from) / 65_536) * 65_536;
          assert.equal(piece.line, 7 + text.slice(0, at).split('\n').length - 1);
          assert.equal(piece.from, from + inLine);
          const content = next < 0 ? text.length : next;
          const whole = next < 0 ? content : content + 1;
          assert.equal(piece.to, piece.from + 65_536 >= content ? whole : piece.from + 65_536);
        }
      },
    ),
    { numRuns: 200 },
  );
});
