import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { StartupError } from '../../core/errors.ts';

/** A rule or catalogue as it lies on disk; `path` is relative to its rule directory. */
export interface CorpusFile {
  readonly path: string;
  readonly text: string;
}

/** The rules that ship with the product, whether run from source or installed. */
export function shippedRulesDirectory(): string {
  return join(import.meta.dirname, '../../../rules');
}

/** Every YAML file below a rule directory, in a stable order. Throws StartupError naming the directory. */
export async function readCorpusFiles(directory: string): Promise<readonly CorpusFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(error => {
    throw new StartupError(
      `cannot read the rule directory ${directory}: ${(error as NodeJS.ErrnoException).code}`,
    );
  });
  const paths = entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.yaml'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
  if (paths.length === 0) throw new StartupError(`no rule (*.yaml) lies in the rule directory ${directory}`);
  return Promise.all(
    paths.map(async path => ({ path: relative(directory, path), text: await readFile(path, 'utf8') })),
  );
}
