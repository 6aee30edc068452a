import { promisify } from 'node:util';
import { deflate, deflateSync, inflate } from 'node:zlib';

/** A text that is stored packed. Who stores it packs it, so that the embedded store does so off the event loop. */
export interface PackedText {
  readonly packed: string;
}

/** Whether a value is to be packed before it is stored. */
export function isPackedText<T>(value: T | PackedText): value is PackedText {
  return typeof value === 'object' && value !== null && 'packed' in value;
}

const pack = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const unpack = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** The higher levels save a few hundredths and take half as long again. */
const options = { level: 1 };
/** Most texts that are packed here come to less than a chunk, and each keeps its chunk alive until it is collected. */
const optionsHere = { ...options, chunkSize: 4 * 1024 };
/** Where a text lies while it is packed: a buffer for each would stay until it is collected, long after. */
let scratch: Uint8Array | null = null;
const longestInScratch = 64 * 1024;
const mostBytesACharacter = 3;
const encoder = new TextEncoder();
/** A shorter text is stored as it is: there is nothing to save. */
const shortest = 512;
/** JSON objects begin with it, and nothing packed does. */
const brace = 0x7b;

/** Packed in this thread, which has nothing better to do. */
export function packHere({ packed: text }: PackedText): Uint8Array {
  if (staysPlain(text)) return Buffer.from(text);
  if (text.length > longestInScratch) return deflateSync(text, optionsHere);
  scratch ??= new Uint8Array(longestInScratch * mostBytesACharacter);
  return deflateSync(scratch.subarray(0, encoder.encodeInto(text, scratch).written), optionsHere);
}

/** Packed by another thread. */
export async function packElsewhere({ packed: text }: PackedText): Promise<Uint8Array> {
  return staysPlain(text) ? Buffer.from(text) : pack(Buffer.from(text), options);
}

/** The text that was packed, which may have at most so many bytes; rejects where `bytes` are damaged. */
export async function unpackText(bytes: Uint8Array, maxOutputLength: number): Promise<string> {
  if (bytes[0] === brace) return Buffer.from(bytes).toString('utf8');
  return (await unpack(bytes, { maxOutputLength })).toString('utf8');
}

function staysPlain(text: string): boolean {
  return text.length < shortest && text.charCodeAt(0) === brace;
}
