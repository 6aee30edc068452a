import type { Screened } from './screen.ts';

/** What is read: of each metric the nodes that a screen of it points at. */
export interface Chosen {
  readonly screened: Screened;
  readonly nodes: readonly string[];
}

export interface Choice {
  readonly chosen: readonly Chosen[];
  /** Nodes that a screen points at, and that are too many to be read. */
  readonly left: readonly string[];
}

/**
 * At most `most` nodes in all. Every screen's first node comes before any screen's second, so that a metric in which
 * many stand out does not hide another's single node.
 */
export function chooseNodes(screens: readonly Screened[], most: number): Choice {
  const taken = new Set<string>();
  const left = new Set<string>();
  const longest = screens.reduce((length, { nodes }) => Math.max(length, nodes.length), 0);
  for (let place = 0; place < longest; place += 1) {
    for (const { nodes } of screens) {
      const node = nodes[place];
      if (node === undefined || taken.has(node)) continue;
      if (taken.size < most) taken.add(node);
      else left.add(node);
    }
  }
  const chosen = screens
    .map(screened => ({ screened, nodes: screened.nodes.filter(node => taken.has(node)) }))
    .filter(({ nodes }) => nodes.length > 0);
  return { chosen, left: [...left] };
}
