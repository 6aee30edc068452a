import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseFolder, copyVariant, readCaseFolder, removeCopy } from '../../src/cli/case-folder.ts';
import { compareExpected } from '../../src/cli/compare-expected.ts';
import { openReplays, type Replay, type Replays, type Through } from '../../src/cli/replay-case.ts';
import type { Corpus } from '../../src/engine/corpus/corpus.ts';
import { type NeededPart, neededParts } from './needed-parts.ts';
import { type RecordedReading, recordedReading } from './recorded-reading.ts';
import { silentLog } from './silent-log.ts';

const root = join(import.meta.dirname, '../../cases');

/** A case, or a variant of one. */
export interface CaseName {
  readonly name: string;
  readonly variant: string | null;
}

/** What of the corpus breaks a case when it is taken away. */
export interface Needs {
  /** Names of parts, each with the first case that breaks without it. */
  readonly needed: ReadonlyMap<string, CaseName>;
  /** Names of parts that no case needs, in the order of the corpus. */
  readonly missing: readonly string[];
}

export function caseNames(): readonly string[] {
  const entries = readdirSync(root, { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Answers each case and variant as it is, and again without each part of the corpus that may have had a say in it and
 * that no other case has been found to need: evidence is read once, and reasoned over as often as that takes.
 */
export async function findNeeds(corpus: Corpus, names: readonly string[] = caseNames()): Promise<Needs> {
  const parts = neededParts(corpus);
  const needed = new Map<string, CaseName>();
  const open = (): readonly NeededPart[] => parts.filter(({ name }) => !needed.has(name));
  const reading = recordedReading();
  const replays = replaysOver(corpus, reading.through);
  try {
    for (const name of names) {
      for (const variant of [null, ...(await readCaseFolder(join(root, name))).variants]) {
        const which = { name, variant: variant?.name ?? null };
        const broken = await inFolderOf(which, folder => brokenBy(folder, open(), replays, reading));
        for (const part of broken) needed.set(part, which);
      }
    }
  } finally {
    await replays.close();
  }
  return { needed, missing: open().map(({ name }) => name) };
}

/** Whether a case is answered as expected by a corpus, with everything read anew. */
export async function isAnswered(corpus: Corpus, which: CaseName): Promise<boolean> {
  const replays = replaysOver(corpus);
  try {
    return await inFolderOf(which, async folder => isExpected(await replays.replay(folder), folder));
  } finally {
    await replays.close();
  }
}

function replaysOver(corpus: Corpus, through?: Through): Replays {
  const parts = { corpus, log: silentLog, packageVersion: '0.0.0', workers: 1 };
  return openReplays(through === undefined ? parts : { ...parts, through });
}

async function inFolderOf<T>({ name, variant }: CaseName, run: (folder: CaseFolder) => Promise<T>): Promise<T> {
  const folder = await readCaseFolder(join(root, name));
  if (variant === null) return run(folder);
  const words = folder.variants.find(each => each.name === variant);
  if (words === undefined) throw new Error(`${name} has no variant ${variant}`);
  const copy = await copyVariant(folder, words);
  try {
    return await run(await readCaseFolder(copy));
  } finally {
    await removeCopy(copy);
  }
}

/** Names of the parts without which the answers are not what the case expects. */
async function brokenBy(
  folder: CaseFolder,
  parts: readonly NeededPart[],
  replays: Replays,
  reading: RecordedReading,
): Promise<readonly string[]> {
  reading.forget();
  if (!isExpected(await replays.replay(folder), folder)) return [];
  const seen = reading.seen();
  const broken: string[] = [];
  for (const part of parts) {
    if (!part.appearsIn(seen)) continue;
    reading.change(part.without);
    if (!isExpected(await replays.replay(folder), folder)) broken.push(part.name);
  }
  return broken;
}

/** Whether both answers of a case are the expected ones. */
function isExpected({ fast, slow, explained }: Replay, folder: CaseFolder): boolean {
  if (compareExpected(fast, folder.fast.expected, explained.fast).length > 0) return false;
  if (slow === null || folder.slow === null) return true;
  return compareExpected(slow, folder.slow.expected, explained.slow).length === 0;
}
