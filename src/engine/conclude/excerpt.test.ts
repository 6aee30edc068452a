import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { excerpt } from './excerpt.ts';

test('short lines stay whole', () => {
  assert.equal(excerpt('NVRM: Xid 79', '79'), 'NVRM: Xid 79');
});

test('long lines are cut around what tells', () => {
  const line = `${'x'.repeat(3000)} Xid 79 ${'y'.repeat(3000)}`;
  assert.ok(excerpt(line, 'Xid 79').includes('Xid 79'));
  assert.equal(excerpt(line, null), 'x'.repeat(1024));
});

test('an excerpt is part of the line, at most 1 KiB, and never half a character', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 3000 });
  fc.assert(
    fc.property(text, fc.nat(), (line, at) => {
      const part = excerpt(line, line.slice(at % (line.length + 1)).slice(0, 10) || null);
      assert.ok(line.includes(part));
      assert.ok(Buffer.byteLength(part) <= 1024);
      assert.ok(part.isWellFormed());
    }),
  );
});
