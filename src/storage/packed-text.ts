import { promisify } from 'node:util';
import {
  constants,
  deflate,
  deflateSync,
  inflate,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
} from 'node:zlib';

/** A text that is stored packed. Who stores it packs it, so that the embedded store does so off the event loop. */
export interface PackedText {
  readonly text: string;
  readonly packing: 'deflate' | 'zstd';
}

type Pack<Options> = (bytes: Uint8Array, options: Options) => Promise<Buffer>;
type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packs = {
  deflate: { inThread: deflateSync, elsewhere: promisify(deflate) as Pack<object>, options: {} },
  zstd: { inThread: zstdCompressSync, elsewhere: promisify(zstdCompress) as Pack<object>, options: fastest },
} as const;
const unpacks = { deflate: promisify(inflate) as Unpack, zstd: promisify(zstdDecompress) as Unpack } as const;

/** A shorter text is stored as it is: there is nothing to save. */
const shortest = 512;
/** JSON objects begin with it, and nothing packed does. */
const brace = 0x7b;

/** Packed in this thread, which has nothing better to do. */
export function packHere({ text, packing }: PackedText): Uint8Array {
  const { inThread, options } = packs[packing];
  return staysPlain(text) ? Buffer.from(text) : inThread(Buffer.from(text), options);
}

/** Packed by another thread. */
export async function packElsewhere({ text, packing }: PackedText): Promise<Uint8Array> {
  const { elsewhere, options } = packs[packing];
  return staysPlain(text) ? Buffer.from(text) : elsewhere(Buffer.from(text), options);
}

/** The text that was packed, which may have at most so many bytes; rejects where `bytes` are damaged. */
export async function unpackText(
  bytes: Uint8Array,
  packing: PackedText['packing'],
  maxOutputLength: number,
): Promise<string> {
  if (bytes[0] === brace) return Buffer.from(bytes).toString('utf8');
  return (await unpacks[packing](bytes, { maxOutputLength })).toString('utf8');
}

function staysPlain(text: string): boolean {
  return text.length < shortest && text.charCodeAt(0) === brace;
}
