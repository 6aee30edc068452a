import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { type PackedText, packElsewhere, packHere, unpackText } from './packed-text.ts';

const texts: readonly string[] = [
  '{}',
  `{"text":"${'é\u0000'.repeat(100)}"}`,
  `{"text":"${'x'.repeat(5_000)}"}`,
  'no object',
  '"x"'.repeat(400),
];

for (const packing of ['deflate', 'zstd'] as const) {
  test(`every text comes back from ${packing}, wherever it was packed`, async () => {
    for (const text of texts) {
      const packed: PackedText = { text, packing };
      assert.equal(await unpackText(packHere(packed), packing, 100_000), text);
      assert.equal(await unpackText(await packElsewhere(packed), packing, 100_000), text);
    }
  });

  test(`what ${packing} packed takes less room, and what is too short to be packed no more`, () => {
    assert.ok(packHere({ text: `{"text":"${'x'.repeat(5_000)}"}`, packing }).length < 500);
    assert.equal(packHere({ text: '{}', packing }).length, 2);
  });
}

test('short objects that were packed all the same are read', async () => {
  assert.equal(await unpackText(deflateSync('{}'), 'deflate', 100), '{}');
  assert.equal(await unpackText(zstdCompressSync('{}'), 'zstd', 100), '{}');
});

test('damaged bytes, and more of them than allowed, are refused', async () => {
  await assert.rejects(unpackText(Uint8Array.of(1, 2, 3), 'deflate', 100));
  await assert.rejects(unpackText(Uint8Array.of(1, 2, 3), 'zstd', 100));
  await assert.rejects(unpackText(deflateSync('x'.repeat(1_000)), 'deflate', 100));
});
