import type { ReadResponse } from '../../src/contract/index.ts';

/** What an answer claims: nodes with the confidence given, and whether it blames the job as a whole. */
export interface Answer {
  readonly named: readonly NamedNode[];
  readonly wholeJob: boolean;
  readonly categories: readonly string[];
}

export interface NamedNode {
  readonly node: string;
  readonly confidence: number | null;
}

export const nothing: Answer = { named: [], wholeJob: false, categories: [] };

export function answerOf(response: ReadResponse): Answer {
  return {
    named: response.attributions.flatMap(({ target, confidence }) =>
      target.type === 'Node' ? [{ node: target.node, confidence }] : [],
    ),
    wholeJob: response.attributions.some(({ target }) => target.type === 'AllJobResources'),
    categories: response.attributions.map(({ category }) => category),
  };
}

/** An answer that names these nodes. */
export function naming(nodes: readonly string[]): Answer {
  return { ...nothing, named: nodes.map(node => ({ node, confidence: null })) };
}
