import assert from 'node:assert/strict';
import { test } from 'node:test';
import { styleFor } from './terminal.ts';

const terminal = { isTTY: true };

test('a terminal gets colour', () => {
  assert.equal(styleFor(terminal, true, {}).strong('x'), '\u001b[1mx\u001b[0m');
});

for (const [name, stream, color, environment] of [
  ['a pipe', {}, true, {}],
  ['--no-color', terminal, false, {}],
  ['NO_COLOR', terminal, true, { NO_COLOR: '1' }],
  ['TERM=dumb', terminal, true, { TERM: 'dumb' }],
] as const) {
  test(`${name} gets none`, () => {
    assert.equal(styleFor(stream, color, environment).strong('x'), 'x');
  });
}
