import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import type { Corpus } from '../../src/engine/corpus/corpus.ts';
import { type CorpusFile, loadCorpus } from '../../src/engine/corpus/load.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A rule file as an author would write it; `fields` replace or add top-level keys. */
export function ruleFile(id: string, fields: Fields = {}): CorpusFile {
  const text = '[ 130.456250] NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.';
  const rule = {
    id,
    title: 'GPU no longer answers on its bus',
    status: 'stable',
    symptom: 'gpu-fallen-off-bus',
    category: 'accelerator_gpu',
    blames: 'node',
    role: 'root',
    strength: 'S1',
    match: lineMatch({}),
    caution: 'None known.',
    references: ['a driver source'],
    examples: {
      match: [{ text, captures: { pci: '0000:b3:00' } }],
      no_match: [{ text: 'NVRM: GPUs that have fallen off the bus follow', because: 'names no GPU' }],
    },
    ...fields,
  };
  return { path: `${id}.yaml`, text: stringify(rule) };
}

/** `match` of a line rule; `fields` replace or add keys below `line`, `further` is its `then`. */
export function lineMatch(fields: Fields, further: readonly Fields[] = []): Fields {
  return {
    line: {
      origins: ['kernel'],
      keywords: ['fallen off the bus'],
      pattern: 'GPU (?P<pci>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2})\\.0: GPU has fallen off the bus',
      ...fields,
      ...(further.length > 0 ? Object.fromEntries([['then', further]]) : {}),
    },
  };
}

/** Examples that pass no check of their own: for tests that never run them. */
export const anyExamples: Fields = {
  match: [{ text: 'x' }],
  no_match: [{ text: 'x', because: 'y' }],
};

/** The corpus of files that must load; a problem fails the test with its text. */
export function corpusOf(...files: readonly CorpusFile[]): Corpus {
  const loaded = loadCorpus(files);
  if (loaded.ok) return loaded.corpus;
  throw new Error(loaded.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
}

/** The rules of the checkout. */
export function shippedRuleFiles(): readonly CorpusFile[] {
  const root = resolve(import.meta.dirname, '../../rules');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.yaml'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({ path: relative(root, path).replaceAll(sep, '/'), text: readFileSync(path, 'utf8') }));
}
