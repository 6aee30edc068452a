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
        const uncounted = { ...told.trouble, reason: `its lines could not be counted: ${told.trouble.reason}` };
        troubles.set(name, worse(troubles.get(name) ?? null, uncounted) ?? uncounted);
      }
    }
  };
  const groups = store.groups(selection, names, 'count');
  await Promise.all(groups.map(nodes => count({ ...selection, nodes }, 0)));
  return { byName, troubles };
}

/** Lines without text count for nothing: a node that sent no others has told nothing. */
export async function countTexts<C extends Cursor>(
  store: LogStore<C>,
  selection: Selection,
  names: readonly string[],
  signal: AbortSignal,
): Promise<LineCounts> {
  const [counts, told] = await Promise.all([
    countLines(store, selection, names, signal),
    store.textless?.(selection, signal),
  ]);
  // Where that cannot be told, it shows in what is read.
  if (told?.ok !== true) return counts;
  const { names: empty, remedy } = told.value;
  const reason = `none of its lines holds text where it is read: ${remedy}`;
  const own = names.filter(name => empty.has(name) && counts.byName.has(name));
  return {
    byName: new Map([...counts.byName].filter(([name]) => !empty.has(name))),
    troubles: new Map([
      ...counts.troubles,
      ...own.map(name => [name, { status: 'failed', reason, tooMuch: null }] as const),
    ]),
  };
}
