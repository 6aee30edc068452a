import type { BufferPool } from '../../../src/evidence/buffers.ts';
import { bytesReader } from '../../../src/evidence/files/byte-reader.ts';
import { cutLines } from '../../../src/evidence/files/cut-lines.ts';
import { expandingReader } from '../../../src/evidence/files/expanding-reader.ts';
import { textKind } from '../../../src/evidence/files/text-kind.ts';
import { type FuzzedParser, owes } from '../fuzzed-parser.ts';

const cap = { bytes: 4 * 1024 * 1024, ratio: 500, ratioFromBytes: 64 * 1024 };
const cut = { ownBytes: 2_048, contextLines: 4, contextBytes: 1_024, pieceBytes: 512 };
const bufferBytes = 8 * 1024;
const buffers: BufferPool = {
  bytes: bufferBytes,
  acquire: () => new ArrayBuffer(bufferBytes),
  release: () => {},
};

/** Unpacks as a source does, and cuts what comes out into batches. */
async function unpack(input: Uint8Array): Promise<boolean> {
  const { packing, reader } = await expandingReader(bytesReader(input), cap);
  if (reader === null) return packing === 'zip' || packing === 'bzip2';
  let bytes = 0;
  try {
    for await (const { bytes: text, ownFrom, ownTo, length, lines } of cutLines(reader, cut, buffers)) {
      owes(ownFrom <= ownTo && ownTo <= length && length <= text.length, 'own lines lie in their batch');
      owes(lines <= length, 'no more lines than bytes');
      bytes += ownTo - ownFrom;
    }
  } finally {
    await reader.close();
  }
  const reason = reader.cutShort()?.reason ?? null;
  owes(bytes <= cap.bytes, 'what is unpacked is bounded');
  owes(reason === null || reason.length < 200, 'a reason is bounded');
  textKind(input);
  // Its header was taken: something came out, or what is packed is damaged further on.
  return packing !== 'plain' || bytes > 0;
}

/** What files may be packed in, told by their first bytes. */
export const archiveParsers: readonly FuzzedParser[] = ['gzip', 'zstd', 'xz', 'plain-text'].map(name => ({
  name,
  documents: 'bytes',
  run: unpack,
}));
