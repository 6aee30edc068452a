import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pythonFloat } from './python-float.ts';

const rows: readonly (readonly [number, string])[] = [
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-2.5, '-2.5'],
  [10000.5, '10000.5'],
  [100, '100.0'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [1e15, '1000000000000000.0'],
  [9007199254740992, '9007199254740992.0'],
  [1e16, '1e+16'],
  [1e20, '1e+20'],
  [123456789012345680, '1.2345678901234568e+17'],
  [1e100, '1e+100'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
];

for (const [value, text] of rows) {
  test(`${value} is written ${text}`, () => assert.equal(pythonFloat(value), text));
}

test('every finite float reads back as itself', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
      assert.ok(Object.is(Number(pythonFloat(value)), value));
    }),
  );
});
