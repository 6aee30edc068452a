import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { packElsewhere, packHere, unpackText } from './packed-text.ts';

const long = `{"text":"${'x'.repeat(5_000)}"}`;
const texts: readonly string[] = [
  '{}',
  `{"text":"${'é\u0000'.repeat(100)}"}`,
  long,
  'no object',
  '"x"'.repeat(400),
  `{"text":"${'€'.repeat(60_000)}"}`,
  `{"text":"${'€'.repeat(70_000)}"}`,
];

test('every text comes back, wherever it was packed', async () => {
  for (const packed of texts) {
    assert.equal(await unpackText(packHere({ packed }), 300_000), packed);
    assert.equal(await unpackText(await packElsewhere({ packed }), 300_000), packed);
  }
});

test('what is packed takes less room, and what is too short to be packed no more', () => {
  assert.ok(packHere({ packed: long }).length < 500);
  assert.equal(packHere({ packed: '{}' }).length, 2);
});

test('a short object that was packed all the same is read', async () => {
  assert.equal(await unpackText(deflateSync('{}'), 100), '{}');
});

test('damaged bytes, and more of them than allowed, are refused', async () => {
  await assert.rejects(unpackText(Uint8Array.of(1, 2, 3), 100));
  await assert.rejects(unpackText(deflateSync('x'.repeat(1_000)), 100));
});
