import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, example, withMember, without } from './example-request.ts';

/**
 * The body of a 422 for each kind of wrong shape, as FastAPI sends it: `detail` as text, so that the order of keys and
 * the way numbers and characters are written count too.
 */
interface Row {
  readonly name: string;
  readonly body: string | object;
  readonly detail: string;
}

const notAnObject = 'Input should be a valid dictionary or object to extract fields from';
const digits = '9'.repeat(4301);

const rows: readonly Row[] = [
  {
    name: 'a member is missing: the enclosing object is the input',
    body: without('workload_context.workflow_id'),
    detail:
      '{"type":"missing","loc":["body","workload_context","workflow_id"],"msg":"Field required","input":{"attempt_index":2}}',
  },
  {
    name: 'every member of an empty object that is required, in the order of the model',
    body: '{}',
    detail: [
      'schema_version',
      'workload_id',
      'scope',
      'failure_context',
      'timeout_ms',
      'workload_context',
      'phase',
    ]
      .map(name => `{"type":"missing","loc":["body","${name}"],"msg":"Field required","input":{}}`)
      .join(','),
  },
  {
    name: 'several errors: in the order of the model, depth first, whatever the order of the body',
    body: '{"phase":"now","workload_context":{"attempt_index":0},"scope":{"ranks":"0","nodes":[1]},"workload_id":"4711","failure_context":{"detected_at":"2026-03-02T10:04:11Z","detection_signal":"hang"},"schema_version":"0.1.0","timeout_ms":null}',
    detail: [
      '{"type":"string_type","loc":["body","scope","nodes",0],"msg":"Input should be a valid string","input":1}',
      '{"type":"list_type","loc":["body","scope","ranks"],"msg":"Input should be a valid list","input":"0"}',
      '{"type":"int_type","loc":["body","timeout_ms"],"msg":"Input should be a valid integer","input":null}',
      '{"type":"missing","loc":["body","workload_context","workflow_id"],"msg":"Field required","input":{"attempt_index":0}}',
      `{"type":"enum","loc":["body","phase"],"msg":"Input should be 'fast' or 'slow'","input":"now","ctx":{"expected":"'fast' or 'slow'"}}`,
    ].join(','),
  },
  {
    name: 'no body',
    body: '',
    detail: '{"type":"missing","loc":["body"],"msg":"Field required","input":null}',
  },
  {
    name: 'the body null',
    body: 'null',
    detail: '{"type":"missing","loc":["body"],"msg":"Field required","input":null}',
  },
  ...['[]', '"x"', '3', 'true', '2.50', '[[],{"a":null}]'].map(input => ({
    name: `the body ${input}`,
    body: input,
    detail: `{"type":"model_attributes_type","loc":["body"],"msg":"${notAnObject}","input":${input === '2.50' ? '2.5' : input}}`,
  })),
  ...[[], 'x', 3, null].map(value => ({
    name: `a model that is ${JSON.stringify(value)}`,
    body: withMember('scope', value),
    detail: `{"type":"model_attributes_type","loc":["body","scope"],"msg":"${notAnObject}","input":${JSON.stringify(value)}}`,
  })),
  ...[12345, true, null, ['4711'], 1.5, {}].map(value => ({
    name: `a string that is ${JSON.stringify(value)}`,
    body: withMember('workload_id', value),
    detail: `{"type":"string_type","loc":["body","workload_id"],"msg":"Input should be a valid string","input":${JSON.stringify(value)}}`,
  })),
  {
    name: 'an optional string that is no string',
    body: withMember('continue_session', 3),
    detail:
      '{"type":"string_type","loc":["body","continue_session"],"msg":"Input should be a valid string","input":3}',
  },
  {
    name: 'user_id null: it has a default, and is not nullable',
    body: withMember('user_id', null),
    detail:
      '{"type":"string_type","loc":["body","user_id"],"msg":"Input should be a valid string","input":null}',
  },
  ...[null, [1], {}].map(value => ({
    name: `an integer that is ${JSON.stringify(value)}`,
    body: withMember('timeout_ms', value),
    detail: `{"type":"int_type","loc":["body","timeout_ms"],"msg":"Input should be a valid integer","input":${JSON.stringify(value)}}`,
  })),
  ...['abc', '', '0x10', '5.', '1e3', '٣', '_1', '1__0', '+', '1 0'].map(value => ({
    name: `an integer that is the text ${JSON.stringify(value)}`,
    body: withMember('timeout_ms', value),
    detail: `{"type":"int_parsing","loc":["body","timeout_ms"],"msg":"Input should be a valid integer, unable to parse string as an integer","input":${JSON.stringify(value)}}`,
  })),
  {
    name: 'an item of a list of integers',
    body: withMember('scope.ranks', [0, 'x']),
    detail:
      '{"type":"int_parsing","loc":["body","scope","ranks",1],"msg":"Input should be a valid integer, unable to parse string as an integer","input":"x"}',
  },
  {
    name: 'an integer with a fraction',
    body: withMember('timeout_ms', 10000.5),
    detail:
      '{"type":"int_from_float","loc":["body","timeout_ms"],"msg":"Input should be a valid integer, got a number with a fractional part","input":10000.5}',
  },
  {
    name: 'a float beyond 64 bits, written as Python writes it',
    body: JSON.stringify(example).replace('8000', '1e20'),
    detail:
      '{"type":"int_parsing_size","loc":["body","timeout_ms"],"msg":"Unable to parse input string as an integer, exceeded maximum size","input":1e+20}',
  },
  {
    name: 'an integer text of 4301 digits',
    body: withMember('timeout_ms', digits),
    detail: `{"type":"int_parsing_size","loc":["body","timeout_ms"],"msg":"Unable to parse input string as an integer, exceeded maximum size","input":"${digits}"}`,
  },
  {
    name: 'an integer below its lower bound',
    body: withMember('workload_context.attempt_index', -1),
    detail:
      '{"type":"greater_than_equal","loc":["body","workload_context","attempt_index"],"msg":"Input should be greater than or equal to 0","input":-1,"ctx":{"ge":0}}',
  },
  {
    name: 'a text below a lower bound is echoed as text',
    body: withMember('workload_context.attempt_index', '-1'),
    detail:
      '{"type":"greater_than_equal","loc":["body","workload_context","attempt_index"],"msg":"Input should be greater than or equal to 0","input":"-1","ctx":{"ge":0}}',
  },
  ...['FAST', 3, null, ['fast']].map(value => ({
    name: `a phase that is ${JSON.stringify(value)}`,
    body: withMember('phase', value),
    detail: `{"type":"enum","loc":["body","phase"],"msg":"Input should be 'fast' or 'slow'","input":${JSON.stringify(value)},"ctx":{"expected":"'fast' or 'slow'"}}`,
  })),
  ...['node-01', {}, null, 7].map(value => ({
    name: `a list that is ${JSON.stringify(value)}`,
    body: withMember('scope.nodes', value),
    detail: `{"type":"list_type","loc":["body","scope","nodes"],"msg":"Input should be a valid list","input":${JSON.stringify(value)}}`,
  })),
  {
    name: 'an item of a list of strings',
    body: withMember('scope.nodes', ['node-01', 3]),
    detail:
      '{"type":"string_type","loc":["body","scope","nodes",1],"msg":"Input should be a valid string","input":3}',
  },
  {
    name: 'a text that is too short: singular',
    body: withMember('workload_context.workflow_id', ''),
    detail:
      '{"type":"string_too_short","loc":["body","workload_context","workflow_id"],"msg":"String should have at least 1 character","input":"","ctx":{"min_length":1}}',
  },
  {
    name: 'a text of 257 characters, each of two UTF-16 units',
    body: withMember('workload_context.workflow_id', '𝛼'.repeat(257)),
    detail: `{"type":"string_too_long","loc":["body","workload_context","workflow_id"],"msg":"String should have at most 256 characters","input":"${'𝛼'.repeat(257)}","ctx":{"max_length":256}}`,
  },
  ...[
    [' run-17', 'must not begin or end with white space'],
    ['run-17\u2003', 'must not begin or end with white space'],
    ['run\u007f17', 'must not contain control characters'],
    ['run\n17', 'must not contain control characters'],
    ['re\u0301sume\u0301', 'must be in Unicode normalization form C'],
  ].map(([value, reason]) => ({
    name: `a workflow id that is not canonical: ${JSON.stringify(value)}`,
    body: withMember('workload_context.workflow_id', value),
    detail: `{"type":"value_error","loc":["body","workload_context","workflow_id"],"msg":"Value error, ${reason}","input":${JSON.stringify(value)},"ctx":{"error":{}}}`,
  })),
  {
    name: 'UTF-8 is not escaped, control characters are',
    body: withMember('timeout_ms', 'é\u2028\u001f\t"'),
    detail:
      '{"type":"int_parsing","loc":["body","timeout_ms"],"msg":"Input should be a valid integer, unable to parse string as an integer","input":"é\u2028\\u001f\\t\\""}',
  },
  {
    name: 'of members with one name the last counts, at the place of the first',
    body: '{"phase":"fast","a":1,"phase":"never"}',
    detail: [
      ...['schema_version', 'workload_id', 'scope', 'failure_context', 'timeout_ms', 'workload_context'].map(
        name =>
          `{"type":"missing","loc":["body","${name}"],"msg":"Field required","input":{"phase":"never","a":1}}`,
      ),
      `{"type":"enum","loc":["body","phase"],"msg":"Input should be 'fast' or 'slow'","input":"never","ctx":{"expected":"'fast' or 'slow'"}}`,
    ].join(','),
  },
  {
    name: 'floats keep their point, big integers their digits, members their order',
    body: '[{"7":1.0,"a":123456789012345678901234567890,"__proto__":1e16,"b":0.00001,"3":-0.0,"c":-0}]',
    detail: `{"type":"model_attributes_type","loc":["body"],"msg":"${notAnObject}","input":[{"7":1.0,"a":123456789012345678901234567890,"__proto__":1e+16,"b":1e-05,"3":-0.0,"c":0}]}`,
  },
];

for (const { name, body, detail } of rows) {
  test(`422: ${name}`, () => {
    assert.deepEqual(answerTo(body), { status: 422, body: `{"detail":[${detail}]}` });
  });
}

test('unknown members are ignored at every level', () => {
  const body = {
    ...withMember('scope.racks', ['r1']),
    extra: { deep: [1, 2] },
    failure_context: { ...example.failure_context, symptom: null },
    workload_context: { ...example.workload_context, exit_code: 1 },
  };
  assert.equal(answerTo(body).status, 200);
});

test('a member called __proto__ changes nothing', () => {
  assert.equal(answerTo(JSON.stringify(example).replace('{', '{"__proto__":{"phase":"slow"},')).status, 200);
});
