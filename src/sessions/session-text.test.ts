import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromText, toText } from './session-text.ts';

test('every value comes back as it was, bigints and marked strings included', () => {
  const leaf = fc.oneof(
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.string().map(rest => `\u0001n${rest}`),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      leaf,
      fc.array(tie('tree')),
      fc.dictionary(fc.string(), tie('tree'), { noNullPrototype: true }),
    ),
  }));
  fc.assert(fc.property(tree, value => assert.deepEqual(fromText(toText(value)), value)));
});

test('nanoseconds keep their last digit', () => {
  assert.equal(fromText(toText(1_788_955_200_123_456_789n)), 1_788_955_200_123_456_789n);
});
