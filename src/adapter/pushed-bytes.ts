import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify<Uint8Array, object, Buffer>(zstdCompress);
const expand = promisify<Uint8Array, object, Buffer>(zstdDecompress);

/** Fast rather than small: logs shrink to a tenth at the lowest level already. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Pushed bytes as they are kept: the same for the same bytes. */
export function packPushed(bytes: Uint8Array): Promise<Uint8Array> {
  return compress(bytes, fastest);
}

/** What was packed, one after the other; each is gone before the next is there. */
export async function* unpackPushed(
  packed: readonly Uint8Array[],
  mostBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  for (const bytes of packed) yield await expand(bytes, { maxOutputLength: mostBytes });
}

/** Names packed bytes by their content. */
export function contentId(packed: Uint8Array): string {
  return createHash('sha256').update(packed).digest('hex').slice(0, 32);
}
