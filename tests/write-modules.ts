import { writeFileSync } from 'node:fs';
import { assembledModules } from './support/assembled-modules.ts';

/** Part of `make generate`: assembles what is written in WebAssembly's text form. */
for (const { path, text } of await assembledModules()) writeFileSync(path, text);
