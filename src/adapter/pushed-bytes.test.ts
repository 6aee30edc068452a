import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentId, packPushed, unpackPushed } from './pushed-bytes.ts';

test('what was packed comes back, one piece after the other, and packs the same again', async () => {
  const piece = fc.uint8Array({ maxLength: 5_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), async pieces => {
      const packed = await Promise.all(pieces.map(packPushed));
      const back: number[][] = [];
      for await (const { bytes } of unpackPushed(packed, 5_000)) back.push([...bytes]);
      assert.deepEqual(
        back,
        pieces.map(bytes => [...bytes]),
      );
      const again = await Promise.all(pieces.map(packPushed));
      assert.deepEqual(again.map(contentId), packed.map(contentId));
    }),
    { numRuns: 30 },
  );
});

test('what would expand beyond the limit is refused', async () => {
  const bomb = await packPushed(new Uint8Array(1_000_000));
  const reading = unpackPushed([bomb], 1000).next();
  await assert.rejects(reading);
});
