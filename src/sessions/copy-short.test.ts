import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleAnswer, sampleSession } from '../../tests/support/sample-session.ts';
import { copyShort } from './copy-short.ts';
import { fromText, toText } from './session-text.ts';

const ample = 1_000_000;

test('a copy is what the stored text of the original reads back as', () => {
  const values = fc.anything({
    key: fc.string().filter(key => key !== '__proto__'),
    values: [fc.string(), fc.bigInt(), fc.integer(), fc.boolean(), fc.constant(null)],
    maxDepth: 4,
  });
  fc.assert(
    fc.property(values, value => {
      assert.deepEqual(copyShort(value, ample), fromText(toText(value)));
    }),
  );
});

test('what happens to the original afterwards does not happen to the copy', () => {
  const session = sampleSession('a', { answers: [sampleAnswer('r1')] });
  const before = toText(session);
  const copy = copyShort(session, ample);
  spoil(session);
  assert.notEqual(toText(session), before);
  assert.equal(toText(copy), before);
});

test('a value whose text is longer than the limit is not copied', () => {
  assert.equal(copyShort({ text: 'x'.repeat(2_000) }, 1_000), null);
  const nulls = Array.from({ length: 1_000 }, () => null);
  assert.equal(copyShort(nulls, 1_000), null);
  assert.deepEqual(copyShort({ text: 'x'.repeat(500) }, 1_000), { text: 'x'.repeat(500) });
});

/** Empties every object and list, innermost first. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(spoil);
  for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
}
