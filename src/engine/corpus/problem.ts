/** A mistake in a file of the corpus, where it stands. Lines and columns count from 1. */
export interface CorpusProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function problemAt(place: Place, message: string): CorpusProblem {
  return { file: place.file, line: place.line, column: place.column, message };
}

/** By file, then by place: what a reader meets first comes first. */
export function sortProblems(problems: readonly CorpusProblem[]): readonly CorpusProblem[] {
  return [...problems].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.message, b.message),
  );
}

/** Code unit order: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
