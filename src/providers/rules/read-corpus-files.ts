import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
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

/** A rule is a page of text at most, a catalogue some dozens. */
const largestFileBytes = 4 * 1024 * 1024;

/**
 * Every YAML file below a rule directory, in a stable order; links to files are followed, names that begin with a dot
 * are passed over (an editor's copies, the hidden folders behind a mounted ConfigMap). Throws StartupError naming the
 * directory.
 */
export async function readCorpusFiles(directory: string): Promise<readonly CorpusFile[]> {
  try {
    const paths = await yamlFilesBelow(directory);
    if (paths.length === 0) throw new StartupError(`no rule (*.yaml) lies in the rule directory ${directory}`);
    return await Promise.all(paths.map(path => readRuleFile(directory, path)));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `cannot read the rule directory ${directory}: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}

async function yamlFilesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => entry.name.endsWith('.yaml') && (entry.isFile() || entry.isSymbolicLink()))
    .map(entry => relative(directory, join(entry.parentPath, entry.name)))
    .filter(path => !path.split(sep).some(part => part.startsWith('.')));
  return paths.sort();
}

async function readRuleFile(directory: string, path: string): Promise<CorpusFile> {
  const place = join(directory, path);
  const { size } = await stat(place);
  if (size > largestFileBytes) throw new StartupError(`${place} has ${size} bytes: no rule is as large`);
  return { path: path.replaceAll(sep, '/'), text: await readFile(place, 'utf8') };
}
