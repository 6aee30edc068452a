import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GlobalOptions } from '../command.ts';
import { rulePages } from './rule-pages.ts';
import { rulesInForce } from './rules-in-force.ts';

/** Writes the reference pages of the rules into a folder of their own; pages that no rule has any more are removed. */
export async function writePages(
  folder: string,
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<number> {
  const pages = rulePages((await rulesInForce(options, globals)).corpus);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (name.endsWith('.md') && !pages.has(name)) await rm(join(folder, name));
  }
  for (const [name, text] of pages) await writeFile(join(folder, name), text);
  process.stdout.write(`${pages.size} pages in ${folder}\n`);
  return 0;
}
