import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { neutralise } from './neutralise.ts';

const cases: readonly (readonly [string, string, string])[] = [
  ['plain text is left alone', 'GPU 0000:b3:00.0\tlost\n', 'GPU 0000:b3:00.0\tlost\n'],
  ['colours are dropped', '\u001b[1;31mERROR\u001b[0m rank 3', 'ERROR rank 3'],
  ['a window title is dropped', 'a\u001b]0;owned\u0007b', 'ab'],
  ['a link is dropped up to its terminator', 'a\u001b]8;;http://x\u001b\\b', 'ab'],
  ['an unterminated title loses its introducer only', 'a\u001b]0;rest of the line', 'a0;rest of the line'],
  ['the one-byte introducer counts as well', 'a\u009b31mb', 'ab'],
  ['a screen reset is dropped', 'a\u001bcb', 'ab'],
  ['a lone escape becomes visible', 'a\u001b', 'a\\x1b'],
  ['bell, backspace and carriage return become visible', '\u0007\b\r', '\\x07\\x08\\x0d'],
  ['null becomes visible', 'a\u0000b', 'a\\x00b'],
  ['turns of direction become visible', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
  ['letters beyond ASCII stay', 'Größe 日本 🙂', 'Größe 日本 🙂'],
];

for (const [claim, text, expected] of cases) test(claim, () => assert.equal(neutralise(text), expected));

test('nothing a terminal would act on is left', () => {
  const unit = fc.oneof(fc.constantFrom('\u001b', '[', ']', '\u0007', '\\', 'm', '3', '\u009b'), fc.string());
  fc.assert(
    fc.property(fc.array(unit), units => {
      const left = [...neutralise(units.join(''))].map(character => character.charCodeAt(0));
      assert.ok(left.every(code => code === 9 || code === 10 || (code >= 32 && code < 127) || code > 0x9f));
    }),
  );
});
