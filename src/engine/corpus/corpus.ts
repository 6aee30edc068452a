import type { Catalogues } from './catalogue.ts';
import { hashCorpus } from './hash.ts';
import type { Place } from './problem.ts';
import type { Rule } from './rule.ts';

/** All rules and catalogues, checked: plain data, so that it can be handed to workers. */
export interface Corpus {
  /** By id. */
  readonly rules: readonly Rule[];
  readonly catalogues: Catalogues;
  /** SHA-256 of the content, in hex, whatever the order of files and their formatting. */
  readonly hash: string;
  /** Where rules (`id`), what they explain (`id#inhibits/0`) and their examples (`id#match/0`, `id#no_match/0`) stand. */
  readonly places: Readonly<Record<string, Place>>;
}

/** Where a rule or one of its parts stands; rules that came from no file stand at the start of the file of their id. */
export function placeOf(corpus: Corpus, rule: string, part = ''): Place {
  const place = corpus.places[`${rule}${part}`] ?? corpus.places[rule];
  return place ?? { file: `${rule}.yaml`, line: 1, column: 1 };
}

/** The corpus with exactly these rules and its own catalogues. */
export function withRules(corpus: Corpus, rules: readonly Rule[]): Corpus {
  const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ...corpus, rules: sorted, hash: hashCorpus(sorted, corpus.catalogues) };
}

/** The corpus without one rule; throws where it has no such rule, since a test that removes nothing proves nothing. */
export function removeRule(corpus: Corpus, id: string): Corpus {
  const rules = corpus.rules.filter(rule => rule.id !== id);
  if (rules.length === corpus.rules.length) throw new Error(`the corpus has no rule ${id}`);
  return withRules(corpus, rules);
}

/** The corpus without one row of a catalogue (`xid-79`, `nvlink-...`); throws where there is no such row. */
export function removeRow(corpus: Corpus, code: string): Corpus {
  const { xid, sxid, nvlink } = corpus.catalogues;
  const catalogues: Catalogues = {
    xid: xid.filter(row => row.code !== code),
    sxid: sxid.filter(row => row.code !== code),
    nvlink: nvlink.filter(row => row.code !== code),
  };
  const before = xid.length + sxid.length + nvlink.length;
  const after = catalogues.xid.length + catalogues.sxid.length + catalogues.nvlink.length;
  if (before === after) throw new Error(`the corpus has no catalogue row ${code}`);
  return { ...corpus, catalogues, hash: hashCorpus(corpus.rules, catalogues) };
}
