import { newlinesWasm } from './newlines-wasm.ts';
import { openModule } from './wasm-module.ts';

const { memory, run } = openModule(newlinesWasm, 'count');
const text = new Uint8Array(memory);
const stepBytes = 16;

/**
 * Number of line feeds in `bytes[from, to)`. It is work on every byte of evidence: a byte loop would cost as much as
 * reading it, and copying to where sixteen bytes are compared at once costs little.
 */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += text.length) {
    const part = bytes.subarray(at, Math.min(at + text.length, to));
    const length = Math.ceil(part.length / stepBytes) * stepBytes;
    text.set(part);
    text.fill(0, part.length, length);
    count += run(length);
  }
  return count;
}
