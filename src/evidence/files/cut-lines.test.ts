import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bufferPool } from '../buffers.ts';
import { type ByteReader, bytesReader } from './byte-reader.ts';
import { type Cut, type CutSettings, cutLines } from './cut-lines.ts';

async function cutsOf(reader: ByteReader, settings: CutSettings, firstLine = 1): Promise<readonly Cut[]> {
  const pool = bufferPool(settings.ownBytes + 2 * settings.contextBytes + 1);
  const cuts: Cut[] = [];
  for await (const cut of cutLines(reader, settings, pool, firstLine)) cuts.push(cut);
  return cuts;
}

/** Every piece of a text, by the definition: lines, and every `pieceBytes` of a line's content where that is longer. */
function piecesOf(text: string, pieceBytes: number): readonly { text: string; line: number; at: number }[] {
  const pieces: { text: string; line: number; at: number }[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    let from = at;
    while (end - from > pieceBytes) {
      pieces.push({ text: text.slice(from, from + pieceBytes), line, at: from });
      from += pieceBytes;
    }
    at = feed < 0 ? end : feed + 1;
    if (at > from) pieces.push({ text: text.slice(from, at), line, at: from });
    line++;
  }
  return pieces;
}

const decode = (cut: Cut, from: number, to: number) =>
  Buffer.from(cut.bytes.subarray(from, to)).toString('latin1');
const text = fc
  .array(fc.oneof(fc.constant('\n'), fc.constant('\r\n'), fc.string({ maxLength: 40, unit: 'binary-ascii' })), {
    maxLength: 60,
  })
  .map(parts => parts.join(''));
const settings = fc.record({
  ownBytes: fc.integer({ min: 9, max: 90 }),
  contextLines: fc.integer({ min: 0, max: 5 }),
  contextBytes: fc.integer({ min: 0, max: 40 }),
  pieceBytes: fc.integer({ min: 1, max: 8 }),
});

test('own parts in sequence are the stream, whatever the sizes', async () => {
  await fc.assert(
    fc.asyncProperty(text, settings, fc.integer({ min: 1, max: 50 }), async (content, sizes, step) => {
      const cuts = await cutsOf(bytesReader(Buffer.from(content, 'latin1'), step), sizes);
      assert.equal(cuts.map(cut => decode(cut, cut.ownFrom, cut.ownTo)).join(''), content);
      assert.ok(cuts.every(cut => cut.ownTo > cut.ownFrom && cut.ownTo - cut.ownFrom <= sizes.ownBytes));
    }),
  );
});

test('batches and their context begin and end where pieces do, as far as the limits allow, with right line numbers', async () => {
  await fc.assert(
    fc.asyncProperty(text, settings, fc.integer({ min: 1, max: 50 }), async (content, sizes, step) => {
      const pieces = piecesOf(content, sizes.pieceBytes);
      const starts = new Map(pieces.map((piece, index) => [piece.at, index]));
      starts.set(content.length, pieces.length);
      let own = 0;
      for (const cut of await cutsOf(bytesReader(Buffer.from(content, 'latin1'), step), sizes)) {
        const first = starts.get(own - cut.ownFrom) ?? Number.NaN;
        const ownFirst = starts.get(own) ?? Number.NaN;
        const ownEnd = starts.get(own + cut.ownTo - cut.ownFrom) ?? Number.NaN;
        const end = starts.get(own + cut.length - cut.ownFrom) ?? Number.NaN;
        assert.equal(
          decode(cut, 0, cut.length),
          pieces
            .slice(first, end)
            .map(piece => piece.text)
            .join(''),
        );
        assert.equal(cut.firstLine, pieces[first]?.line);
        const fits = (from: number, to: number) =>
          to - from <= sizes.contextLines &&
          pieces.slice(from, to).reduce((sum, piece) => sum + piece.text.length, 0) <= sizes.contextBytes;
        assert.ok(fits(first, ownFirst) && (first === 0 || !fits(first - 1, ownFirst)));
        assert.ok(fits(ownEnd, end) && (end === pieces.length || !fits(ownEnd, end + 1)));
        own += cut.ownTo - cut.ownFrom;
      }
    }),
  );
});

test('lines are counted once each, the last one without line feed included', async () => {
  await fc.assert(
    fc.asyncProperty(text, settings, async (content, sizes) => {
      const cuts = await cutsOf(bytesReader(Buffer.from(content, 'latin1')), sizes);
      const feeds = content.split('\n').length - 1;
      const expected = feeds + (content === '' || content.endsWith('\n') ? 0 : 1);
      assert.equal(
        cuts.reduce((sum, cut) => sum + cut.lines, 0),
        expected,
      );
    }),
  );
});

const usual: CutSettings = { ownBytes: 64, contextLines: 2, contextBytes: 32, pieceBytes: 32 };

test('a stream cut short loses its incomplete last line and nothing else', async () => {
  const whole = bytesReader(Buffer.from('one\ntwo\nthr'));
  const cuts = await cutsOf({ ...whole, cutShort: () => ({ status: 'failed', reason: 'corrupt' }) }, usual);
  assert.equal(cuts.map(cut => decode(cut, cut.ownFrom, cut.ownTo)).join(''), 'one\ntwo\n');
});

test('numbers go on from where the reader starts', async () => {
  const [cut] = await cutsOf(bytesReader(Buffer.from('a\nb\n')), usual, 1001);
  assert.equal(cut?.firstLine, 1001);
});

test('an empty stream gives no batch', async () => {
  assert.deepEqual(await cutsOf(bytesReader(new Uint8Array(0)), usual), []);
});

test('settings that cannot make progress are refused', async () => {
  await assert.rejects(cutsOf(bytesReader(new Uint8Array(1)), { ...usual, pieceBytes: 64 }), RangeError);
});
