import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { parseJson } from '../json/parse.ts';
import { datetime, enumeration, nullable, reference } from '../schema.ts';
import { renderShapeErrors } from './shape-error.ts';
import { walk } from './walk.ts';

/** Keywords of which the contract's own models use only some; a model that uses another must get pydantic's words. */
const Color = enumeration(['red', 'green', 'blue'], 'Color', 'A color.');

const Model = Type.Object(
  {
    version: Type.Literal('0.1.0'),
    size: Type.Integer({ exclusiveMinimum: 0 }),
    color: Type.Optional(reference<typeof Color>('Color')),
    at: Type.Optional(nullable(datetime())),
    name: Type.Optional(Type.String({ minLength: 2, default: 'xx' })),
  },
  { additionalProperties: false },
);

const rules = { models: { Color }, canonical: new Set<object>(), naiveDatetimes: 'refuse' } as const;

function detail(text: string): string {
  const parsed = parseJson(text);
  assert.ok(parsed.ok);
  const walked = walk(Model, parsed.value, rules);
  return walked.ok ? 'fine' : renderShapeErrors(walked.errors, true);
}

const rows: readonly (readonly [string, string])[] = [
  [
    '{"version":"0.2.0","size":1}',
    `{"type":"literal_error","loc":["body","version"],"msg":"Input should be '0.1.0'","input":"0.2.0","ctx":{"expected":"'0.1.0'"}}`,
  ],
  [
    '{"version":"0.1.0","size":0}',
    '{"type":"greater_than","loc":["body","size"],"msg":"Input should be greater than 0","input":0,"ctx":{"gt":0}}',
  ],
  [
    '{"b":[1],"version":"0.1.0","size":1,"a":null}',
    '{"type":"extra_forbidden","loc":["body","b"],"msg":"Extra inputs are not permitted","input":[1]},' +
      '{"type":"extra_forbidden","loc":["body","a"],"msg":"Extra inputs are not permitted","input":null}',
  ],
  [
    '{"version":"0.1.0","size":1,"color":"pink"}',
    `{"type":"enum","loc":["body","color"],"msg":"Input should be 'red', 'green' or 'blue'","input":"pink","ctx":{"expected":"'red', 'green' or 'blue'"}}`,
  ],
  [
    '{"version":"0.1.0","size":1,"name":"é"}',
    '{"type":"string_too_short","loc":["body","name"],"msg":"String should have at least 2 characters","input":"é","ctx":{"min_length":2}}',
  ],
];

for (const [text, expected] of rows) {
  test(`${text} is refused`, () => assert.equal(detail(text), `{"detail":[${expected}]}`));
}

test('members left out have their default, else null', () => {
  const walked = walk(
    Model,
    new Map<string, string | bigint>([
      ['version', '0.1.0'],
      ['size', 3n],
    ]),
    rules,
  );
  assert.ok(walked.ok);
  assert.deepEqual(walked.value, { version: '0.1.0', size: 3n, color: null, at: null, name: 'xx' });
});

test('a reference that leads nowhere is a mistake in the models', () => {
  const broken = Type.Object({ color: reference<typeof Color>('Colour') });
  assert.throws(() => walk(broken, new Map([['color', 'red']]), rules), /no model stands behind/);
});
