import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refusalText } from './refusal-text.ts';

test('a detail of one sentence is that sentence', () => {
  assert.equal(
    refusalText('{"detail":"There was an error parsing the body"}'),
    'There was an error parsing the body',
  );
});

test('several mistakes are told in one sentence each', () => {
  const detail = [
    { loc: ['body', 'scope', 'nodes', 0], msg: 'Input should be a valid string' },
    { loc: ['body', 'phase'] },
  ];
  assert.equal(
    refusalText(JSON.stringify({ detail })),
    'body.scope.nodes.0: Input should be a valid string; body.phase: is wrong',
  );
});

test('whatever the body, there is a short sentence', () => {
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map(detail => JSON.stringify({ detail })),
  );
  fc.assert(
    fc.property(body, text => {
      const sentence = refusalText(text);
      assert.ok(sentence.length <= 500);
    }),
  );
});
