import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCategory, errorCategories, type ReadFinding, readResponse } from '../../contract/index.ts';
import { StartupError } from '../../core/errors.ts';
import { type Evidence, evidenceKinds, type Finding, type Outcome } from '../../core/outcome.ts';
import { referenceFromWire } from '../wire-reference.ts';
import { readExpected } from './read-expected.ts';

/** What is answered to every request of a phase. */
export interface Recording {
  readonly fast: Outcome;
  /** Null where nothing was recorded for slow requests. */
  readonly slow: Outcome | null;
}

/**
 * Reads a recorded answer of an adapter (a file), a folder with `fast.json` and perhaps `slow.json`, or a recorded
 * case, of which the expected answers are given. Throws StartupError where it is none of these.
 */
export async function readRecording(path: string): Promise<Recording> {
  if (path === '') {
    throw new StartupError('provider.replay.path is empty: give a recorded answer, or a folder with fast.json');
  }
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    error => refuse(path, `cannot be read (${(error as NodeJS.ErrnoException).code})`),
  );
  if (!isFolder) {
    const answer = readAnswer(path, await readText(path));
    return { fast: answer, slow: answer };
  }
  const expected = await readIfThere(join(path, 'expected.json'));
  if (expected !== null) {
    const slowPath = join(path, 'slow/expected.json');
    const slow = await readIfThere(slowPath);
    return {
      fast: readExpected(join(path, 'expected.json'), expected),
      slow: slow === null ? null : readExpected(slowPath, slow),
    };
  }
  const slowPath = join(path, 'slow.json');
  const slow = await readIfThere(slowPath);
  const fastPath = join(path, 'fast.json');
  return {
    fast: readAnswer(fastPath, await readText(fastPath)),
    slow: slow === null ? null : readAnswer(slowPath, slow),
  };
}

async function readText(path: string): Promise<string> {
  return (await readIfThere(path)) ?? refuse(path, 'is missing: record an answer there');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : refuse(path, `cannot be read (${code})`);
  }
}

function refuse(path: string, says: string): never {
  throw new StartupError(`provider.replay.path: ${path} ${says}`);
}

function readAnswer(path: string, text: string): Outcome {
  const answer = readResponse(text) ?? refuse(path, 'is no answer of the attribution contract');
  return {
    findings: answer.attributions.map(found => findingOf(path, found)),
    unattributed: answer.unattributedTargets,
    coverage: [],
    problem: answer.error,
  };
}

function findingOf(path: string, found: ReadFinding): Finding {
  const category = errorCategories.find(known => known === found.category);
  if (category === undefined)
    refuse(path, `has a category that is none of ours: ${errorCategories.join(', ')}`);
  const evidence: readonly Evidence[] = found.evidence.map(item => ({
    ...item,
    kind: evidenceKinds.find(kind => kind === item.kind) ?? 'note',
    reference: item.reference === null ? null : referenceFromWire(item.reference),
  }));
  const { target, observedAt, confidence } = found;
  return {
    target,
    category: category satisfies ErrorCategory,
    observedAt,
    confidence,
    evidence: evidence.length > 0 ? evidence : [withoutEvidence],
  };
}

const withoutEvidence: Evidence = {
  kind: 'note',
  source: 'replay',
  observedAt: null,
  node: null,
  message: 'recorded without evidence',
  reference: null,
};
