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
/** A shorter text is stored as it is: there is nothing to save. */
const shortest = 512;
/** JSON objects begin with it, and nothing packed does. */
const brace = 0x7b;

/** Packed in this thread, which has nothing better to do. */
export function packHere({ packed: text }: PackedText): Uint8Array {
  return staysPlain(text) ? Buffer.from(text) : deflateSync(text, options);
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
