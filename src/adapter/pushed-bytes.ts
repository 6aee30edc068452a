import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { PushedObservation } from '../core/pushed.ts';

const compress = promisify<Uint8Array, object, Buffer>(zstdCompress);
const expand = promisify<Uint8Array, object, Buffer>(zstdDecompress);

/** Fast rather than small: logs shrink to a tenth at the lowest level already. */
const level = { [constants.ZSTD_c_compressionLevel]: 1 };
const lengthBytes = 4;
/** Room for what comes out: twice as much as usual costs more than it saves. */
const packedChunkBytes = 16 * 1024;
/** Up to here another thread would cost more than it takes over. */
const atOnceBytes = 256 * 1024;

/** Pushed bytes as they are kept, their length in front: the same for the same bytes. */
export async function packPushed(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { params: level, chunkSize: packedChunkBytes };
  const packed =
    bytes.length <= atOnceBytes ? zstdCompressSync(bytes, options) : await compress(bytes, options);
  const whole = Buffer.allocUnsafe(lengthBytes + packed.length);
  whole.writeUInt32LE(bytes.length);
  packed.copy(whole, lengthBytes);
  return whole;
}

/** How many bytes were packed. */
export function pushedLength(packed: Uint8Array): number {
  return Buffer.from(packed.buffer, packed.byteOffset, lengthBytes).readUInt32LE();
}

/** What was packed, one after the other; each is gone before the next is there. */
export async function* unpackPushed(
  packed: readonly Uint8Array[],
  mostBytes: number,
): AsyncGenerator<PushedObservation, void, void> {
  for (const bytes of packed) {
    const length = pushedLength(bytes);
    // Room for all of it: piece by piece it would cost a turn of the event loop each.
    const chunkSize = Math.max(packedChunkBytes, Math.min(length, mostBytes) + 1);
    const options = { maxOutputLength: mostBytes + 1, chunkSize };
    const frame = bytes.subarray(lengthBytes);
    const whole = length <= atOnceBytes ? zstdDecompressSync(frame, options) : await expand(frame, options);
    yield { id: contentId(bytes), bytes: whole };
  }
}

/** Names packed bytes by their content. */
export function contentId(packed: Uint8Array): string {
  return createHash('sha256').update(packed).digest('hex').slice(0, 32);
}
