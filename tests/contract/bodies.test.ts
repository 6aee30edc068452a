import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import {
  bodyUnreadable,
  detail,
  internalServerError,
  methodNotAllowed,
  notFound,
} from '../../src/contract/index.ts';
import { answerTo, example, parse, strict, withMember } from './example-request.ts';

const text = JSON.stringify(example);

for (const type of [
  undefined,
  '',
  'application/json',
  'Application/JSON',
  ' application/json ',
  'application/json; charset=utf-8',
  'application/json;charset=latin-1;x',
  'application/merge-patch+json',
  'application/vnd.example.v1+json; q=1',
]) {
  test(`content type ${type ?? 'absent'} is JSON`, () => {
    assert.ok(parse(text, type).ok);
  });
}

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'text/json',
  'application/jsonp',
  'json',
  'application/',
  '/json',
  'application/json/x',
  'application/json, text/plain',
  'application /json',
  '"application/json"',
  ';',
  '\u00ff',
]) {
  test(`content type ${JSON.stringify(type)} is not JSON: the body counts as a string`, () => {
    assert.deepEqual(answerTo(text, type), {
      status: 422,
      body: `{"detail":[{"type":"model_attributes_type","loc":["body"],"msg":"Input should be a valid dictionary or object to extract fields from","input":${JSON.stringify(text)}}]}`,
    });
  });
}

test('an empty body is missing, whatever its content type', () => {
  const missing = '{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}';
  for (const type of [undefined, 'text/plain', 'application/json']) {
    assert.deepEqual(answerTo('', type), { status: 422, body: missing });
  }
});

test('bytes that are no text and said not to be JSON are quoted with replacement characters', () => {
  const { status, body } = answerTo(Buffer.from([0x61, 0xff]), 'text/plain');
  assert.equal(status, 422);
  assert.match(body, /"input":"a\ufffd"/);
});

function encode(width: 2 | 4, little: boolean, mark: boolean): Buffer {
  const units = [...(mark ? ['\ufeff'] : []), ...text].map(character => {
    const unit = Buffer.alloc(width);
    const code = character.codePointAt(0) ?? 0;
    if (width === 2) little ? unit.writeUInt16LE(code) : unit.writeUInt16BE(code);
    else little ? unit.writeUInt32LE(code) : unit.writeUInt32BE(code);
    return unit;
  });
  return Buffer.concat(units);
}

for (const width of [2, 4] as const) {
  for (const little of [true, false]) {
    for (const mark of [true, false]) {
      const name = `UTF-${width * 8} ${little ? 'little' : 'big'} endian ${mark ? 'with' : 'without'} byte order mark`;
      test(`a body in ${name} is read`, () => {
        assert.ok(parse(encode(width, little, mark)).ok);
      });
    }
  }
}

test('a UTF-8 body with byte order mark is read', () => {
  assert.ok(parse(`\ufeff${text}`).ok);
});

const unreadable = '{"detail":"There was an error parsing the body"}';

for (const [name, bytes] of [
  ['invalid UTF-8', Buffer.concat([Buffer.from(text), Buffer.from([0xff])])],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['a cut UTF-8 sequence', Buffer.from([0x22, 0xe2, 0x82])],
  ['UTF-16 with an odd number of bytes', Buffer.from([0xff, 0xfe, 0x31])],
  ['UTF-32 beyond Unicode', Buffer.from([0x00, 0x00, 0xfe, 0xff, 0x00, 0x11, 0x00, 0x00])],
] as const) {
  test(`400: ${name}`, () => {
    assert.deepEqual(answerTo(bytes), { status: 400, body: unreadable });
  });
}

test('400: nesting and integers that no caller needs say which limit they ran into', () => {
  assert.deepEqual(answerTo('['.repeat(901)), {
    status: 400,
    body: '{"detail":"There was an error parsing the body: nested deeper than 900 levels"}',
  });
  assert.deepEqual(answerTo('1'.repeat(4301)), {
    status: 400,
    body: '{"detail":"There was an error parsing the body: an integer has more than 4300 digits"}',
  });
  assert.equal(answerTo(`${'['.repeat(900)}${']'.repeat(900)}`).status, 422);
  assert.equal(answerTo(`-${'1'.repeat(4300)}`).status, 422);
});

test('NaN and the infinities are read, and echoed as null', () => {
  const body = JSON.stringify(withMember('scope', '@')).replace('"@"', '[NaN,Infinity,-Infinity,1e999]');
  assert.deepEqual(answerTo(body), {
    status: 422,
    body: '{"detail":[{"type":"model_attributes_type","loc":["body","scope"],"msg":"Input should be a valid dictionary or object to extract fields from","input":[null,null,null,null]}]}',
  });
  assert.deepEqual(answerTo(text.replace('8000', '-Infinity')), {
    status: 422,
    body: '{"detail":[{"type":"finite_number","loc":["body","timeout_ms"],"msg":"Input should be a finite number","input":null}]}',
  });
});

test('lone surrogates pass where Python lets them pass, and are refused where it does not', () => {
  const odd = parse(text.replace('"4711"', '"\\ud800"'));
  assert.equal(odd.ok && odd.request.workloadId, '\ud800');
  assert.deepEqual(answerTo(text.replace('"run-17"', '"\\udc00"')), {
    status: 422,
    body: '{"detail":[{"type":"string_unicode","loc":["body","workload_context","workflow_id"],"msg":"Input should be a valid string, unable to parse raw data as a unicode string","input":"\\udc00"}]}',
  });
});

test('input can be left out of every entry', () => {
  const quiet = { ...strict, echoInput: false };
  assert.deepEqual(answerTo(withMember('phase', 'now'), 'application/json', quiet), {
    status: 422,
    body: `{"detail":[{"type":"enum","loc":["body","phase"],"msg":"Input should be 'fast' or 'slow'","ctx":{"expected":"'fast' or 'slow'"}}]}`,
  });
  assert.deepEqual(answerTo('{', 'application/json', quiet), {
    status: 422,
    body: '{"detail":[{"type":"json_invalid","loc":["body",1],"msg":"JSON decode error","ctx":{"error":"Expecting property name enclosed in double quotes"}}]}',
  });
});

test('a body of a million wrong items is answered with a bounded one', () => {
  const { status, body } = answerTo(withMember('scope.nodes', new Array(1_000_000).fill(1)));
  assert.equal(status, 422);
  const { detail: entries } = JSON.parse(body) as { detail: unknown[] };
  assert.equal(entries.length, 1000);
});

test('a large object that lacks every member is not repeated for each of them', () => {
  const { body } = answerTo({ padding: 'x'.repeat(700_000) });
  const { detail: entries } = JSON.parse(body) as { detail: { input?: unknown }[] };
  assert.equal(entries.length, 7);
  assert.ok(body.length < 1_500_000);
  assert.ok(entries[0] !== undefined && 'input' in entries[0]);
});

test('the other bodies of FastAPI', () => {
  assert.equal(notFound(), '{"detail":"Not Found"}');
  assert.equal(methodNotAllowed(), '{"detail":"Method Not Allowed"}');
  assert.equal(bodyUnreadable(), unreadable);
  assert.equal(internalServerError(), 'Internal Server Error');
  assert.equal(detail('quoted "é"'), '{"detail":"quoted \\"é\\""}');
});
