import { type CaseText, nodeOfFile, placeOf } from './case-text.ts';

/** One thing that never arrived. */
export interface Dropped {
  readonly name: string;
  /** Whose logs they were, where they were one node's. */
  readonly node: string | null;
  readonly text: CaseText;
}

/** Without each kind of evidence, and without each file of the scheduler and of the exporter, in turn. */
export function withoutEachSource(text: CaseText): readonly Dropped[] {
  const places = [...text.keys()].flatMap(path => placeOf(path) ?? []);
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  const files = places.filter(({ kind }) => kind === 'scheduler' || kind === 'metrics');
  return [
    ...kinds.map(kind => without(`${kind}/`, text, path => placeOf(path)?.kind === kind)),
    ...files.map(({ kind, name }) =>
      without(`${kind}/${name}`, text, path => path.endsWith(`evidence/${kind}/${name}`)),
    ),
  ];
}

/** Without the kernel log and the health checks of each node in turn. */
export function withoutEachNode(text: CaseText): readonly Dropped[] {
  const nodes = new Set([...text.keys()].flatMap(path => nodeOfFile(path) ?? []));
  return [...nodes].map(node => ({
    ...without(`the logs of ${node}`, text, path => nodeOfFile(path) === node),
    node,
  }));
}

function without(name: string, text: CaseText, isGone: (path: string) => boolean): Dropped {
  return { name, node: null, text: new Map([...text].filter(([path]) => !isGone(path))) };
}
