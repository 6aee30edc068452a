/** An instance of a module of ours: the memory that its text goes into, and its one function, which takes a length. */
export interface WasmModule {
  readonly memory: ArrayBuffer;
  readonly run: (length: number) => number;
}

/** What we use of it: its types come only with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (binary: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

/** `assembled` is a module in base64 that `make generate` wrote from the `.wat` file beside it; `name` is its function. */
export function openModule(assembled: string, name: string): WasmModule {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(assembled, 'base64')));
  const { memory, [name]: run } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof run !== 'function') {
    throw new TypeError(`the module has no memory or no ${name}`);
  }
  return { memory: memory.buffer, run: length => Number(run(length)) };
}
