import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import wabt from 'wabt';

const checkout = join(import.meta.dirname, '../..');

/** The modules written in WebAssembly's text form. */
const sources = ['src/engine/gate/candidates.wat', 'src/lines/newlines.wat'];

/** Each module as a source file that holds it in base64. */
export interface AssembledModule {
  readonly path: string;
  readonly text: string;
}

export async function assembledModules(): Promise<readonly AssembledModule[]> {
  const assembler = await wabt();
  return sources.map(source => {
    const module = assembler.parseWat(source, readFileSync(join(checkout, source), 'utf8'), { simd: true });
    try {
      const binary = Buffer.from(module.toBinary({}).buffer).toString('base64');
      const name = basename(source, '.wat');
      const text = `/** \`${name}.wat\`, assembled by \`make generate\`. */\nexport const ${name}Wasm =\n  '${binary}';\n`;
      return { path: join(checkout, source.replace(/\.wat$/, '-wasm.ts')), text };
    } finally {
      module.destroy();
    }
  });
}
