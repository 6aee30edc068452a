import { type InnerLoop, openInnerLoop } from '../../lines/inner-loop.ts';
import { candidatesWasm } from './candidates-wasm.ts';
import { foldWord, hashBits, hashWord } from './words.ts';

/** The words of a stretch of text that a bitmap of hashes holds. */
export interface Candidates {
  readonly count: number;
  /** Offsets from the start of the stretch, ascending: the first `count`. */
  readonly offsets: Int32Array;
  /** The stretch, four bytes a word, zeros after its end. */
  readonly words: Int32Array;
}

/** Looks through one stretch; what it returns is valid until the next call. `bitmap` has one bit for each hash and never changes. */
type FindCandidates = (bitmap: Int32Array, stretch: Uint8Array) => Candidates;

/** The longest stretch that is looked through at once. */
export const stretchBytes = 64 * 1024;
const stepBytes = 16;

/** As `candidates.wat` has it. */
function layout(memory: ArrayBuffer) {
  const bitmapBytes = 2 ** hashBits / 8;
  return {
    bitmap: new Int32Array(memory, 0, bitmapBytes / 4),
    text: new Uint8Array(memory, bitmapBytes, stretchBytes),
    words: new Int32Array(memory, bitmapBytes, stretchBytes / 4),
    offsets: new Int32Array(memory, bitmapBytes + stretchBytes, stretchBytes / 4),
  };
}

export function candidateFinder({ memory, run }: InnerLoop): FindCandidates {
  const { bitmap: inPlace, text, words, offsets } = layout(memory);
  let owner: Int32Array | null = null;
  return (bitmap, stretch) => {
    if (bitmap !== owner) {
      inPlace.set(bitmap);
      owner = bitmap;
    }
    const length = Math.ceil(stretch.length / stepBytes) * stepBytes;
    text.set(stretch);
    text.fill(0, stretch.length, length);
    return { count: run(length), offsets, words };
  };
}

/** What `candidates.wat` does, without it. */
export function plainCandidates(): InnerLoop {
  const memory = new ArrayBuffer(2 ** hashBits / 8 + 2 * stretchBytes);
  const { bitmap, words, offsets } = layout(memory);
  const run = (length: number): number => {
    let count = 0;
    for (let at = 0; at < length / 4; at += 1) {
      const hash = hashWord((words[at] as number) | foldWord);
      if ((((bitmap[hash >>> 5] as number) >>> hash) & 1) === 0) continue;
      offsets[count] = at * 4;
      count += 1;
    }
    return count;
  };
  return { memory, run };
}

export const findCandidates: FindCandidates = candidateFinder(
  openInnerLoop(candidatesWasm, 'candidates') ?? plainCandidates(),
);
