import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textKind } from './text-kind.ts';

const log = '[ 130.456250] NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.\n'.repeat(20);

test('logs are text, in any one-byte encoding and with colours', () => {
  assert.equal(textKind(Buffer.from(log)), 'text');
  assert.equal(textKind(Buffer.from(`\x1b[31mError\x1b[0m: Größe 5 µs\r\n${log}`)), 'text');
  assert.equal(textKind(Buffer.from('Gr\xf6\xdfe\n'.repeat(9), 'latin1')), 'text');
  assert.equal(textKind(new Uint8Array(0)), 'text');
});

test('a run of zero bytes, as a crash leaves it, makes no binary file', () => {
  assert.equal(textKind(Buffer.concat([Buffer.from(log), Buffer.alloc(4096), Buffer.from(log)])), 'text');
  assert.equal(textKind(Buffer.alloc(4096)), 'text');
});

test('UTF-16 is told with and without its mark', () => {
  assert.equal(textKind(Buffer.from(`\ufeff${log}`, 'utf16le')), 'utf-16');
  assert.equal(textKind(Buffer.from(log, 'utf16le')), 'utf-16');
  assert.equal(textKind(Buffer.from(log, 'utf16le').swap16()), 'utf-16');
});

test('numbers, pickles and executables are binary', () => {
  assert.equal(textKind(new Uint8Array(new Float64Array(512).map((_, n) => n / 7).buffer)), 'binary');
  assert.equal(textKind(Uint8Array.from({ length: 4096 }, (_, n) => (n * 167 + (n >> 3)) & 0xff)), 'binary');
  const pickle = Array.from({ length: 50 }, (_, n) => `X\x05\x00\x00\x00entryq\x01K${String.fromCharCode(n)}s`);
  assert.equal(textKind(Buffer.from(pickle.join(''), 'latin1')), 'binary');
});
