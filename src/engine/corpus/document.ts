import type { TSchema } from 'typebox';
import { type ErrorCode, isNode, LineCounter, parseDocument } from 'yaml';
import { type CorpusProblem, type Place, problemAt } from './problem.ts';
import { checkShape, type Shape } from './shape.ts';

export type Path = readonly (string | number)[];

/** A YAML file whose content fits its schema, with the way back to where each part stands. */
export interface CorpusDocument {
  readonly value: unknown;
  place(path: Path): Place;
}

export type DocumentResult =
  | { readonly ok: true; readonly document: CorpusDocument }
  | { readonly ok: false; readonly problems: readonly CorpusProblem[] };

/** One mistake in YAML makes many more that are none. */
const mostSyntaxProblems = 3;

const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  DUPLICATE_KEY: ': this key stands twice, keep one',
  MULTIPLE_DOCS: ': one file is one rule, put the second into a file of its own',
  TAB_AS_INDENT: ': indent with spaces',
  BAD_DQ_ESCAPE: ': put a pattern in single quotes',
  IMPOSSIBLE: ': take out what nests so deeply',
};

/** Reads one YAML document and checks it against a schema; every problem is reported, not only the first. */
export function readDocument(file: string, text: string, schema: TSchema): DocumentResult {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const syntax = [...parsed.errors, ...parsed.warnings].slice(0, mostSyntaxProblems).map(error => {
    const remedy = remedies[error.code];
    return problemAt(placeOf(error.pos[0]), `not valid YAML: ${error.message}${remedy ?? ''}`);
  });
  if (syntax.length > 0) return { ok: false, problems: syntax };
  const found = checkShape(parsed.contents, schema as Shape);
  if (found.length > 0) {
    return { ok: false, problems: found.map(({ offset, message }) => problemAt(placeOf(offset), message)) };
  }
  const place = (path: Path): Place => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? parsed.contents : parsed.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return placeOf(node.range[0]);
    }
    return placeOf(0);
  };
  return { ok: true, document: { value: parsed.toJS(), place } };
}
