import { type Document, isAlias, isNode, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** A mistake in a YAML text, and the line and column it stands at, from 1. */
export interface YamlMistake {
  readonly line: number;
  readonly column: number;
  readonly says: string;
}

export type ReadYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Line and column of what stands at a path, or of the nearest that stands around it. */
      place(path: readonly (string | number)[]): Omit<YamlMistake, 'says'>;
    }
  | { readonly ok: false; readonly mistakes: readonly YamlMistake[] };

/** Reads one YAML document. Whatever the text, a mistake is told and nothing is thrown. */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const placeOf = (offset: number): Omit<YamlMistake, 'says'> => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const mistake = (offset: number, says: string): YamlMistake => ({ ...placeOf(offset), says });
  const mistakes = document.errors.map(({ pos, message }) => mistake(pos[0], message));
  if (mistakes.length === 0) mistakes.push(...aliasMistakes(document, mistake));
  if (mistakes.length > 0) return { ok: false, mistakes };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases that multiply, and merges of what cannot be merged, show only when the value is made.
    return { ok: false, mistakes: [mistake(0, (error as Error).message)] };
  }
  return {
    ok: true,
    value,
    place(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node: unknown = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return placeOf(node.range[0]);
      }
      return placeOf(0);
    },
  };
}

/** Aliases that stand for nothing, or for what they themselves are a part of. */
function aliasMistakes(
  document: Document,
  mistake: (offset: number, says: string) => YamlMistake,
): readonly YamlMistake[] {
  const found: YamlMistake[] = [];
  const anchors = new Map<string, Node>();
  visit(document, {
    Node(_, node, ancestors) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      const { source, range } = node;
      const meant = anchors.get(source);
      const at = range?.[0] ?? 0;
      if (meant === undefined)
        found.push(mistake(at, `*${source} stands for nothing: put &${source} before it`));
      else if (ancestors.includes(meant)) found.push(mistake(at, `*${source} stands for what it is a part of`));
    },
  });
  return found;
}
