import { type ByteReader, peek } from './byte-reader.ts';
import { cappedReader, countingReader, type ExpansionCap } from './expansion.ts';
import { gunzipReader, unzstdReader } from './inflate-reader.ts';
import { unxzReader } from './unxz-reader.ts';

/** What a file holds, told by its first bytes and never by its name. */
export type Packing = 'plain' | 'gzip' | 'zstd' | 'xz' | 'bzip2' | 'zip';

const magics: readonly (readonly [Packing, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
];
const longestMagic = 6;

export function packingOf(head: Uint8Array): Packing {
  const found = magics.find(([, magic]) => magic.every((byte, index) => head[index] === byte));
  return found?.[0] ?? 'plain';
}

/** The text of a file, unpacked where it is packed; null where the packing cannot be read. Closing it closes `raw`. */
export async function expandingReader(
  raw: ByteReader,
  cap: ExpansionCap,
): Promise<{ readonly packing: Packing; readonly reader: ByteReader | null }> {
  const { head, reader } = await peek(raw, longestMagic);
  const packing = packingOf(head);
  const compressed = countingReader(reader);
  switch (packing) {
    case 'plain':
      return { packing, reader };
    case 'gzip':
      return { packing, reader: cappedReader(gunzipReader(compressed), compressed, cap) };
    case 'zstd':
      return { packing, reader: cappedReader(unzstdReader(compressed), compressed, cap) };
    case 'xz':
      return { packing, reader: cappedReader(unxzReader(compressed), compressed, cap) };
    default:
      return { packing, reader: null };
  }
}
