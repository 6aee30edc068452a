import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLine } from './formats/line-formats.ts';
import type { LineDating } from './line.ts';
import { beginsColoured, withoutColours } from './terminal-colours.ts';

const esc = '\u001b';
const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('colours go, other control sequences and places stay', () => {
  const line = `${esc}[32m[   12.345678] ${esc}[0m${esc}[33mNVRM: ${esc}[0mXid${esc}[2J`;
  const { text, placeOf } = withoutColours(line);
  assert.equal(text, `[   12.345678] NVRM: Xid${esc}[2J`);
  assert.equal(line.slice(placeOf(text.indexOf('NVRM'))).slice(0, 4), 'NVRM');
  assert.equal(line.slice(placeOf(text.indexOf('Xid'))).slice(0, 3), 'Xid');
  assert.ok(beginsColoured(line) && !beginsColoured(text));
  assert.equal(withoutColours(`${esc}[not a colour`).text, `${esc}[not a colour`);
});

test('a place leads to the same character, whatever lies between', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(`${esc}[0m`, `${esc}[1;31m`, `${esc}[`, esc),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const line = parts.join('');
      const { text, placeOf } = withoutColours(line);
      for (let at = 0; at < text.length; at++) assert.equal(line[placeOf(at)], text[at]);
    }),
  );
});

test('a coloured line says the same before its message as the plain one', () => {
  for (const [stamp, message] of [
    ['[   12.345678] ', 'NVRM: Xid'],
    ['[Mon Nov 30 12:03:41 2026] ', 'NVRM: Xid'],
    ['Nov 30 12:03:41 node-01 kernel: ', 'NVRM: Xid'],
    ['7: ', 'step 3'],
  ] as const) {
    const coloured = `${esc}[32m${stamp}${esc}[0m${message}`;
    const plain = parseLine('auto', stamp + message, dating);
    const parsed = parseLine('auto', coloured, dating);
    assert.deepEqual({ ...parsed, messageAt: 0 }, { ...plain, messageAt: 0 });
    assert.equal(coloured.slice(parsed.messageAt), message);
  }
});
