import { openModule } from '../../lines/wasm-module.ts';
import { candidatesWasm } from './candidates-wasm.ts';
import { hashBits } from './words.ts';

/** The words of a stretch of text that a bitmap of hashes holds. */
export interface Candidates {
  readonly count: number;
  /** Offsets from the start of the stretch, ascending: the first `count`. */
  readonly offsets: Int32Array;
  /** The stretch, four bytes a word, zeros after its end. */
  readonly words: Int32Array;
}

/** As laid out in `candidates.wat`. */
const bitmapBytes = 2 ** hashBits / 8;
/** The longest stretch that is looked through at once. */
export const stretchBytes = 64 * 1024;
const stepBytes = 16;

const { memory, run } = openModule(candidatesWasm, 'candidates');
const bitmapInPlace = new Int32Array(memory, 0, bitmapBytes / 4);
const text = new Uint8Array(memory, bitmapBytes, stretchBytes);
const words = new Int32Array(memory, bitmapBytes, stretchBytes / 4);
const offsets = new Int32Array(memory, bitmapBytes + stretchBytes, stretchBytes / 4);
let bitmapOwner: Int32Array | null = null;

/** Looks through one stretch; what it returns is valid until the next call. `bitmap` has one bit for each hash and never changes. */
export function findCandidates(bitmap: Int32Array, stretch: Uint8Array): Candidates {
  if (bitmap !== bitmapOwner) {
    bitmapInPlace.set(bitmap);
    bitmapOwner = bitmap;
  }
  const length = Math.ceil(stretch.length / stepBytes) * stepBytes;
  text.set(stretch);
  text.fill(0, stretch.length, length);
  return { count: run(length), offsets, words };
}
