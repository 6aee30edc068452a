import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { decodedBody } from './decoded-body.ts';

const text = Buffer.from('{"body":[]}'.repeat(100));

test('a body comes out as it was before its encoding', async () => {
  for (const [bytes, encoding] of [
    [text, undefined],
    [text, 'identity'],
    [gzipSync(text), 'gzip'],
    [gzipSync(text), ' GZIP '],
    [zstdCompressSync(text), 'zstd'],
  ] as const) {
    const decoded = await decodedBody(bytes, encoding, text.length);
    assert.ok(decoded.ok);
    assert.deepEqual(Buffer.from(decoded.bytes), text);
  }
});

test('what is too large once expanded, broken or encoded otherwise is refused', async () => {
  for (const [bytes, encoding, mostBytes, status] of [
    [gzipSync(text), 'gzip', text.length - 1, 413],
    [zstdCompressSync(text), 'zstd', 10, 413],
    [gzipSync(Buffer.alloc(50_000_000)), 'gzip', 1_000_000, 413],
    [text, 'gzip', 10_000, 400],
    [gzipSync(text).subarray(0, 20), 'gzip', 10_000, 400],
    [text, 'zstd', 10_000, 400],
    [text, 'br', 10_000, 415],
    [text, 'gzip, gzip', 10_000, 415],
    [text, '__proto__', 10_000, 415],
  ] as const) {
    const decoded = await decodedBody(bytes, encoding, mostBytes);
    assert.equal(decoded.ok ? 200 : decoded.status, status, encoding);
  }
});
