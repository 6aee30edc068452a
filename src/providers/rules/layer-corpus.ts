import { join } from 'node:path';
import { type Corpus, removeRow, withRules } from '../../engine/corpus/corpus.ts';
import { loadCorpus } from '../../engine/corpus/load.ts';
import { type CorpusProblem, compareText } from '../../engine/corpus/problem.ts';
import { readCorpusFiles } from './read-corpus-files.ts';

/** Which rules are in force. */
export interface CorpusChoice {
  /** Folders in layers: a file of a later one takes the place of the file with the same path in those before it. */
  readonly folders: readonly string[];
  /** Ids of rules, and codes of catalogues (`xid-79`), that are left out. */
  readonly disable: readonly string[];
}

/** Rules in force, and where they come from. */
export interface LayeredCorpus {
  readonly corpus: Corpus;
  /** Of each path relative to its folder, the folder that it was taken from. */
  readonly folderOf: ReadonlyMap<string, string>;
  /** Paths that more than one folder holds. */
  readonly overridden: ReadonlySet<string>;
}

/** Problems name files by folder and path. */
export type LayeredResult =
  | { readonly ok: true; readonly layered: LayeredCorpus }
  | { readonly ok: false; readonly problems: readonly CorpusProblem[] };

/** Reads and joins the folders. Throws StartupError where one cannot be read. */
export async function layerCorpus({ folders, disable }: CorpusChoice): Promise<LayeredResult> {
  const texts = new Map<string, string>();
  const folderOf = new Map<string, string>();
  const overridden = new Set<string>();
  for (const folder of folders) {
    for (const { path, text } of await readCorpusFiles(folder)) {
      if (texts.has(path)) overridden.add(path);
      texts.set(path, text);
      folderOf.set(path, folder);
    }
  }
  const loaded = loadCorpus([...texts].map(([path, text]) => ({ path, text })));
  if (!loaded.ok) return { ok: false, problems: placeProblems(loaded.problems, folderOf) };
  const left = leaveOut(loaded.corpus, disable);
  if (!left.ok) return { ok: false, problems: left.problems };
  return { ok: true, layered: { corpus: left.corpus, folderOf, overridden } };
}

/** The same problems, told by the whole path of their file. */
export function placeProblems(
  problems: readonly CorpusProblem[],
  folderOf: ReadonlyMap<string, string>,
): readonly CorpusProblem[] {
  return problems.map(problem => {
    const folder = folderOf.get(problem.file);
    return folder === undefined ? problem : { ...problem, file: join(folder, problem.file) };
  });
}

/** What is wrong with an id that is to be left out; null where there is something of that name. */
export function disableMistake(corpus: Corpus, id: string): string | null {
  if (corpus.rules.some(rule => rule.id === id) || codesOf(corpus).has(id)) return null;
  return `${id} is neither the id of a rule nor a code of a catalogue: correct it or leave it out`;
}

function codesOf({ catalogues: { xid, sxid, nvlink } }: Corpus): ReadonlySet<string> {
  return new Set([...xid, ...sxid, ...nvlink].map(({ code }) => code));
}

type LeftOut =
  | { readonly ok: true; readonly corpus: Corpus }
  | { readonly ok: false; readonly problems: readonly CorpusProblem[] };

function leaveOut(corpus: Corpus, disable: readonly string[]): LeftOut {
  const codes = codesOf(corpus);
  const wanted = [...new Set(disable)].sort(compareText);
  const unknown = wanted.flatMap(id => disableMistake(corpus, id) ?? []);
  if (unknown.length > 0) {
    return {
      ok: false,
      problems: unknown.map(message => ({ file: 'rules.disable', line: 1, column: 1, message })),
    };
  }
  let left = corpus;
  for (const code of wanted.filter(id => codes.has(id))) left = removeRow(left, code);
  const rules = left.rules.filter(({ id }) => !wanted.includes(id));
  return { ok: true, corpus: rules.length === left.rules.length ? left : withRules(left, rules) };
}
