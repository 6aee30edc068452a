import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { errorOf, tellThrown } from './thrown.ts';

test('an error is told by its name, the first line of its message, and where it was thrown', () => {
  const thrown = tellThrown(new TypeError('no licence\nsecond line'));
  assert.equal(thrown.name, 'TypeError');
  assert.equal(thrown.message, 'no licence');
  assert.match(thrown.frames[0] ?? '', /^at .*thrown\.test\.ts/);
  assert.equal(errorOf(thrown).name, 'TypeError');
  assert.equal(errorOf(thrown).message, 'no licence');
});

test('what is no error is told as well', () => {
  const noError = 'something was thrown that is no Error';
  const told: readonly (readonly [unknown, string])[] = [
    ['why', 'why'],
    [7, '7'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('why'), 'Symbol(why)'],
    ['', 'it says nothing more'],
    [new Error(''), 'it says nothing more'],
    [{ message: 'like an error' }, 'like an error'],
    [Object.create(null), noError],
    [{}, noError],
    [Object.assign(new Error('x'), { message: 7 }), noError],
    [new Proxy({}, { get: () => assert.fail('touched') }), noError],
  ];
  for (const [thrown, message] of told) assert.equal(tellThrown(thrown).message, message);
});

test('whatever is thrown, it is told in one line that can be cloned', () => {
  fc.assert(
    fc.property(fc.anything(), thrown => {
      const told = structuredClone(tellThrown(thrown));
      assert.doesNotMatch(told.message, /[\r\n]/);
      assert.notEqual(told.message, '');
    }),
  );
});
