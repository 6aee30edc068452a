import type { Dirent } from 'node:fs';
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
 * are passed over (an editor's copies, the hidden folders behind a mounted ConfigMap). A file named `.yml` is among them,
 * so that it is told to be misnamed. Throws StartupError naming the directory or the file, and what to do.
 */
export async function readCorpusFiles(directory: string): Promise<readonly CorpusFile[]> {
  const entries = await entriesBelow(directory);
  const paths = entries
    .filter(entry => entry.isFile() || entry.isSymbolicLink())
    .filter(entry => /\.ya?ml$/.test(entry.name) || entry.isSymbolicLink())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)))
    .filter(path => !path.split(sep).some(part => part.startsWith('.')))
    .sort();
  const files: CorpusFile[] = [];
  for (const path of paths) {
    const text = await readRuleFile(join(directory, path));
    if (text !== null) files.push({ path: path.replaceAll(sep, '/'), text });
  }
  if (files.length > 0) return files;
  throw new StartupError(
    `no rule (*.yaml) lies in the rule directory ${directory}: put one at FAMILY/SYMPTOM.yaml below it, or leave the directory out`,
  );
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist: create it, or correct its name',
  ENOTDIR: 'it is a file: name the folder of rules that holds it',
  EACCES: 'it may not be read: give this user the right to read it',
};

async function entriesBelow(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { recursive: true, withFileTypes: true });
  } catch (error) {
    throw unreadable(`the rule directory ${directory}`, error);
  }
}

/** Null for a link to something that is no rule. What a file is, is looked at first: reading a pipe or a device never ends. */
async function readRuleFile(place: string): Promise<string | null> {
  try {
    const found = await stat(place);
    if (found.isDirectory()) {
      throw new StartupError(
        `${place} is a link to a folder, which is not followed: name that folder in rules.directories`,
      );
    }
    if (!/\.ya?ml$/.test(place)) return null;
    if (!found.isFile())
      throw new StartupError(`${place} is no plain file: put a rule in its place, or remove it`);
    if (found.size > largestFileBytes) {
      throw new StartupError(
        `${place} has ${found.size} bytes, more than ${largestFileBytes}: no rule is as large, split it`,
      );
    }
    return await readFile(place, 'utf8');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw unreadable(`the rule ${place}`, error);
  }
}

function unreadable(what: string, error: unknown): StartupError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new StartupError(`cannot read ${what} (${code}): ${remedies[code] ?? 'see that it can be read'}`);
}
