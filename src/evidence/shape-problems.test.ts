import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { shapeProblems } from './shape-problems.ts';

const strict = { additionalProperties: false } as const;
const schema = Type.Object(
  {
    url: Type.String(),
    mode: Type.Optional(Type.Enum(['a', 'b'])),
    part: Type.Optional(
      Type.Union([Type.Literal(false), Type.Object({ name: Type.Optional(Type.String()) }, strict)]),
    ),
  },
  strict,
);

test('mistakes name their place and the remedy, and quote no value', () => {
  for (const [input, expected] of [
    [{ url: 'x' }, []],
    [{}, ['the source: lacks a setting: add url']],
    [
      { url: 'x', tokn: 'hunter2' },
      ['the source: has an unknown setting: remove it or correct its name (tokn)'],
    ],
    [{ url: 'x', mode: 'hunter2' }, ['mode: must be one of a, b']],
    [
      { url: 'x', part: { nam: 'hunter2' } },
      ['part: has an unknown setting: remove it or correct its name (nam)'],
    ],
    [{ url: 'x', part: { name: 1 } }, ['part.name: must be string']],
  ] as const) {
    assert.deepEqual(shapeProblems(schema, input), expected);
  }
  assert.equal(shapeProblems(schema, { url: 'x', part: 'hunter2' }).length, 1);
  assert.equal(shapeProblems(schema, 'hunter2').length, 1);
});
