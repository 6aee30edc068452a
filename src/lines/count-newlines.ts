import { type InnerLoop, openInnerLoop } from './inner-loop.ts';
import { newlinesWasm } from './newlines-wasm.ts';

const newline = 10;
const stepBytes = 16;
const stretchBytes = 64 * 1024;

type CountNewlines = (bytes: Uint8Array, from: number, to: number) => number;

export function newlineCounter({ memory, run }: InnerLoop): CountNewlines {
  const text = new Uint8Array(memory, 0, stretchBytes);
  return (bytes, from, to) => {
    let count = 0;
    for (let at = from; at < to; at += stretchBytes) {
      const part = bytes.subarray(at, Math.min(at + stretchBytes, to));
      const length = Math.ceil(part.length / stepBytes) * stepBytes;
      text.set(part);
      text.fill(0, part.length, length);
      count += run(length);
    }
    return count;
  };
}

/** What `newlines.wat` does, without it. */
export function plainNewlines(): InnerLoop {
  const text = new Uint8Array(stretchBytes);
  const run = (length: number): number => {
    let count = 0;
    for (let at = 0; at < length; at += 1) if (text[at] === newline) count += 1;
    return count;
  };
  return { memory: text.buffer, run };
}

/**
 * Number of line feeds in `bytes[from, to)`. It is work on every byte of evidence: a byte loop would cost as much as
 * reading it, and copying to where sixteen bytes are compared at once costs little.
 */
export const countNewlines = newlineCounter(openInnerLoop(newlinesWasm, 'count') ?? plainNewlines());
