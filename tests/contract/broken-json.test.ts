import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo } from './example-request.ts';

const name = 'Expecting property name enclosed in double quotes';
const comma = "Expecting ',' delimiter";
const colon = "Expecting ':' delimiter";

/** Texts that are no JSON: what Python's json module says, and after how many characters. */
const rows: readonly (readonly [string, string, number])[] = [
  ['{', name, 1],
  ['{"a"', colon, 4],
  ['{"a" 1}', colon, 5],
  ['{"a":', 'Expecting value', 5],
  ['{"a":1,}', name, 7],
  ['{"a":1', comma, 6],
  ['{"a":1 "b":2}', comma, 7],
  ['{a:1}', name, 1],
  ["{'a':1}", name, 1],
  ['{"a":"x', 'Unterminated string starting at', 5],
  ['{"a":"x\\', 'Unterminated string starting at', 5],
  ['{"a":"\u0001"}', 'Invalid control character at', 6],
  ['{"a":"b\nc"}', 'Invalid control character at', 7],
  ['{"a":"\\q"}', 'Invalid \\\\escape', 6],
  ['{"a":"\\u12"}', 'Invalid \\\\uXXXX escape', 7],
  ['{"a":"\\u12g4"}', 'Invalid \\\\uXXXX escape', 7],
  ['{"a":"\\ud83d\\u12"}', 'Invalid \\\\uXXXX escape', 13],
  ['"\\u1234', 'Invalid \\\\uXXXX escape', 2],
  ['{} x', 'Extra data', 3],
  ['{}{}', 'Extra data', 2],
  ['01', 'Extra data', 1],
  ['1.', 'Extra data', 1],
  ['1e', 'Extra data', 1],
  ['nullx', 'Extra data', 4],
  ['[1,]', 'Expecting value', 3],
  ['[', 'Expecting value', 1],
  ['[1', comma, 2],
  ['[1 2]', comma, 3],
  [']', 'Expecting value', 0],
  ['nul', 'Expecting value', 0],
  [' ', 'Expecting value', 1],
  [' \t\n\r', 'Expecting value', 4],
  ['-', 'Expecting value', 0],
  ['+1', 'Expecting value', 0],
  ['.5', 'Expecting value', 0],
  ['-Inf', 'Expecting value', 0],
  ['{"a":tru}', 'Expecting value', 5],
  ['\u00a01', 'Expecting value', 0],
  ['"é𝛼" x', 'Extra data', 5],
  ['{"𝛼𝛼":"é", }', name, 11],
  ['\ufeff\ufeff1', 'Expecting value', 0],
];

for (const [text, message, offset] of rows) {
  test(`${JSON.stringify(text)}: ${message} after ${offset} characters`, () => {
    assert.deepEqual(answerTo(text), {
      status: 422,
      body: `{"detail":[{"type":"json_invalid","loc":["body",${offset}],"msg":"JSON decode error","input":{},"ctx":{"error":"${message}"}}]}`,
    });
  });
}
