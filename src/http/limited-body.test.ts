import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { announcedBytes } from './limited-body.ts';

const announced: readonly (readonly [string, Record<string, string>, number])[] = [
  ['no body', {}, 0],
  ['a length', { 'content-length': '12' }, 12],
  ['a length beyond the limit, which is refused unread', { 'content-length': '1001' }, 0],
  ['chunks, which tell nothing', { 'transfer-encoding': 'chunked' }, 1_000],
  [
    'a packed body, which may become as long as one may be',
    { 'content-length': '12', 'content-encoding': 'gzip' },
    1_000,
  ],
];
for (const [what, headers, bytes] of announced) {
  test(`memory is reckoned for ${what}`, () => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request.headers, headers);
    assert.equal(announcedBytes(request, 1_000), bytes);
  });
}
