import type { Cursor, LogStore, Selection, Trouble } from './log-store.ts';
import { halve, worse } from './read-selection.ts';

/** Unfiltered lines by node, as far as they could be counted. */
export interface LineCounts {
  readonly byName: ReadonlyMap<string, number>;
  /** Of the names that could not be counted, why. */
  readonly troubles: ReadonlyMap<string, Trouble>;
}

/** Counts the lines of every name in as few queries as fit. */
export async function countLines<C extends Cursor>(
  store: LogStore<C>,
  selection: Selection,
  names: readonly string[],
  signal: AbortSignal,
): Promise<LineCounts> {
  const byName = new Map<string, number>();
  const troubles = new Map<string, Trouble>();
  const count = async (part: Selection, depth: number): Promise<void> => {
    const told = await store.count(part, signal);
    if (told.ok) {
      for (const [name, lines] of told.value) byName.set(name, (byName.get(name) ?? 0) + lines);
      return;
    }
    const halves = halve(part, told.trouble, depth);
    if (halves !== null) await Promise.all(halves.map(half => count(half, depth + 1)));
    else {
      for (const name of part.nodes ?? ['']) {
        troubles.set(name, worse(troubles.get(name) ?? null, told.trouble) ?? told.trouble);
      }
    }
  };
  const groups = store.groups(selection, names, 'count');
  await Promise.all(groups.map(nodes => count({ ...selection, nodes }, 0)));
  return { byName, troubles };
}
