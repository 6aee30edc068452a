import { type CatalogueName, type Catalogues, catalogueNames, noCatalogues } from './catalogue.ts';
import { checkRule } from './check-rule.ts';
import type { Corpus } from './corpus.ts';
import { type CorpusDocument, readDocument } from './document.ts';
import { hashCorpus } from './hash.ts';
import { shortKeywords } from './keywords.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { parseRule } from './parse-rule.ts';
import { type CorpusProblem, compareText, type Place, problemAt, sortProblems } from './problem.ts';
import type { Rule } from './rule.ts';
import { catalogueSchema, type RuleFile, ruleSchema } from './schema.ts';

/** `path` is relative to the folder of rules, with `/` (`gpu/fallen-off-bus.yaml`, `catalogues/xid.yaml`). */
export interface CorpusFile {
  readonly path: string;
  readonly text: string;
}

export type LoadResult =
  | { readonly ok: true; readonly corpus: Corpus }
  | { readonly ok: false; readonly problems: readonly CorpusProblem[] };

interface LoadedRule {
  readonly rule: Rule;
  readonly document: CorpusDocument;
}

/** Reads rules and catalogues out of their texts. All problems are reported, each with file, line and column. */
export function loadCorpus(files: readonly CorpusFile[]): LoadResult {
  const problems: CorpusProblem[] = [];
  const loaded: LoadedRule[] = [];
  let catalogues: Catalogues = noCatalogues;
  const seen = new Set<string>();
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    const start: Place = { file: file.path, line: 1, column: 1 };
    if (seen.has(file.path)) problems.push(problemAt(start, 'this path is given twice'));
    seen.add(file.path);
    const stem = file.path.replace(/\.yaml$/, '');
    if (stem === file.path) {
      problems.push(problemAt(start, 'the name of a rule or catalogue ends with .yaml: rename the file'));
    } else if (stem.startsWith('catalogues/')) {
      catalogues = loadCatalogue(file, stem.slice('catalogues/'.length), catalogues, problems);
    } else {
      const rule = loadRule(file, stem, problems);
      if (rule !== null) loaded.push(rule);
    }
  }
  const rules = loaded.map(({ rule }) => rule);
  for (const { rule, index, message } of shortKeywords(rules)) {
    const document = loaded.find(each => each.rule.id === rule)?.document;
    const place = document?.place(['match', 'line', 'keywords', index]);
    if (place !== undefined) problems.push(problemAt(place, `match.line.keywords[${index}]: ${message}`));
  }
  if (problems.length > 0) return { ok: false, problems: sortProblems(problems) };
  const sorted = rules.sort((a, b) => compareText(a.id, b.id));
  return {
    ok: true,
    corpus: { rules: sorted, catalogues, hash: hashCorpus(sorted, catalogues), places: places(loaded) },
  };
}

function loadRule(file: CorpusFile, id: string, problems: CorpusProblem[]): LoadedRule | null {
  const read = readDocument(file.path, file.text, ruleSchema);
  if (!read.ok) {
    problems.push(...read.problems);
    return null;
  }
  const { document } = read;
  const rule = parseRule(document.value as RuleFile);
  if (rule.id !== id) {
    problems.push(
      problemAt(document.place(['id']), `id: is \`${rule.id}\`, must be \`${id}\` as the path says`),
    );
  }
  problems.push(...checkRule(rule, document));
  return { rule, document };
}

function loadCatalogue(
  file: CorpusFile,
  name: string,
  catalogues: Catalogues,
  problems: CorpusProblem[],
): Catalogues {
  const known = catalogueNames.find((each): each is CatalogueName => each === name);
  if (known === undefined) {
    const start = { file: file.path, line: 1, column: 1 };
    problems.push(
      problemAt(start, `there is no catalogue \`${name}\`: the known ones are ${catalogueNames.join(', ')}`),
    );
    return catalogues;
  }
  const read = readDocument(file.path, file.text, catalogueSchema);
  if (!read.ok) {
    problems.push(...read.problems);
    return catalogues;
  }
  const parsed = parseCatalogue(known, read.document);
  problems.push(...parsed.problems);
  return { ...catalogues, [known]: parsed.rows };
}

function places(loaded: readonly LoadedRule[]): Readonly<Record<string, Place>> {
  const found: Record<string, Place> = {};
  for (const { rule, document } of loaded) {
    found[rule.id] = document.place(['id']);
    for (const index of rule.inhibits.keys()) {
      found[`${rule.id}#inhibits/${index}`] = document.place(['inhibits', index]);
    }
    for (const index of rule.matches.keys()) {
      found[`${rule.id}#match/${index}`] = document.place(['examples', 'match', index, 'text']);
    }
    for (const index of rule.nearMisses.keys()) {
      found[`${rule.id}#no_match/${index}`] = document.place(['examples', 'no_match', index, 'text']);
    }
  }
  return found;
}
