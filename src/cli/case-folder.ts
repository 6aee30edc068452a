import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHistoryRows } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import type { HistoryRow } from '../core/history.ts';
import { type CaseVariant, type Expected, readCaseAbout, readCaseExpected } from './read-case-files.ts';

/** One request of a case, the folders of evidence it may read, and what it expects. */
export interface CaseStep {
  readonly request: Uint8Array;
  readonly evidence: readonly string[];
  readonly expected: Expected;
}

/** A recorded failure: the fast request, and the slow one where the case has it. */
export interface CaseFolder {
  readonly path: string;
  readonly title: string;
  /** The replay's clock, nanoseconds UTC. */
  readonly now: bigint;
  readonly fast: CaseStep;
  readonly slow: CaseStep | null;
  readonly variants: readonly CaseVariant[];
  /** What earlier failures had shown by then. */
  readonly history?: readonly HistoryRow[];
}

/** Reads a case. Throws StartupError naming the file that is missing or wrong. */
export async function readCaseFolder(path: string): Promise<CaseFolder> {
  const aboutPath = join(path, 'case.yaml');
  const about = readCaseAbout(aboutPath, await readText(aboutPath));
  const evidence = join(path, 'evidence');
  const slow = join(path, 'slow');
  return {
    path,
    title: about.title ?? path,
    now: about.now,
    fast: await readStep(path, [evidence]),
    slow: existsSync(slow) ? await readStep(slow, [evidence, join(slow, 'evidence')].filter(existsSync)) : null,
    variants: about.variants,
    history: await readPast(join(path, 'history.json')),
  };
}

async function readPast(path: string): Promise<readonly HistoryRow[]> {
  if (!existsSync(path)) return [];
  const rows = readHistoryRows(await readText(path));
  if (rows === null) throw new StartupError(`${path}: must be a list of what earlier failures showed`);
  return rows;
}

async function readStep(path: string, evidence: readonly string[]): Promise<CaseStep> {
  const expectedPath = join(path, 'expected.json');
  return {
    request: new TextEncoder().encode(await readText(join(path, 'request.json'))),
    evidence,
    expected: readCaseExpected(expectedPath, await readText(expectedPath)),
  };
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(error => {
    throw new StartupError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code}): a case needs it`);
  });
}

/** A copy of a case in a temporary folder with a variant's substitutions made in every text and file name. */
export async function copyVariant(folder: CaseFolder, variant: CaseVariant): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'case-variant-'));
  await cp(folder.path, copy, { recursive: true });
  await substituteBelow(copy, variant.substitute);
  return copy;
}

export async function removeCopy(copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
}

async function substituteBelow(path: string, words: CaseVariant['substitute']): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const from = join(path, entry.name);
    const to = join(path, substitute(entry.name, words));
    if (entry.isDirectory()) await substituteBelow(from, words);
    else if (entry.name !== 'case.yaml' && !isPacked(entry.name))
      await writeFile(from, substitute(await readFile(from, 'utf8'), words));
    if (from !== to) await rename(from, `${to}.renamed`);
  }
  for (const entry of await readdir(path)) {
    if (entry.endsWith('.renamed'))
      await rename(join(path, entry), join(path, entry.slice(0, -'.renamed'.length)));
  }
}

/** All words at once, the longest first, so that two may change places. */
function substitute(text: string, words: CaseVariant['substitute']): string {
  const keys = Object.keys(words).sort((a, b) => b.length - a.length);
  if (!keys.some(key => text.includes(key))) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const key = keys.find(word => text.startsWith(word, at));
    result += key === undefined ? text[at] : words[key];
    at += key === undefined ? 1 : key.length;
  }
  return result;
}

function isPacked(name: string): boolean {
  return /\.(gz|zst|xz)$/.test(name);
}
