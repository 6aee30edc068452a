import { readFileSync } from 'node:fs';

/** A loop over every byte of a text: the memory that the text goes into, and the function, which takes its length. */
export interface InnerLoop {
  readonly memory: ArrayBuffer;
  readonly run: (length: number) => number;
}

/** What we use of it: its types come only with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (binary: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

/**
 * `assembled` is a module in base64 that `make generate` wrote from the `.wat` file beside it; `name` is its function.
 * An instance reserves 10 GB of addresses, whatever it uses: null where the process may have only so many.
 */
export function openInnerLoop(assembled: string, name: string): InnerLoop | null {
  if (hasFewAddresses()) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(assembled, 'base64')));
  const { memory, [name]: run } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof run !== 'function') {
    throw new TypeError(`the module has no memory or no ${name}`);
  }
  return { memory: memory.buffer, run: length => Number(run(length)) };
}

/** As `ulimit -v` sets it, or Slurm's VSizeFactor. */
function hasFewAddresses(): boolean {
  try {
    return !/^Max address space +unlimited/m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return process.platform === 'linux';
  }
}
