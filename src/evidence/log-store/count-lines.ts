import type { Cursor, LogStore, Selection, Textless, Trouble } from './log-store.ts';
import { halve, worse } from './read-selection.ts';

/** Unfiltered lines by node, as far as they could be counted. */
export interface LineCounts {
  readonly byName: ReadonlyMap<string, number>;
  /** Of the names that could not be counted, why. */
  readonly troubles: ReadonlyMap<string, Trouble>;
  /** Those of them whose lines hold no text: reading them brings nothing. */
  readonly textless: ReadonlySet<string>;
  /** Why nobody knows whether the lines hold text where it is read; null where that is known. */
  readonly untold: Trouble | null;
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
  return { byName, troubles, textless: new Set(), untold: null };
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
  // Of what is read it shows; of what a filter keeps back it does not.
  if (told?.ok === false) return { ...counts, untold: told.trouble };
  if (told === undefined) return counts;
  const textless = told.value;
  const own = names.filter(name => counts.byName.has(name) && isTextless(textless, name));
  return {
    byName: new Map([...counts.byName].filter(([name]) => !isTextless(textless, name))),
    troubles: new Map([...counts.troubles, ...own.map(name => [name, withoutText(textless)] as const)]),
    textless: new Set(own),
    untold: null,
  };
}

export function isTextless({ names }: Textless, name: string): boolean {
  return names === 'all' || names.has(name);
}

export function withoutText({ remedy }: Textless): Trouble {
  const reason = `none of its lines holds text where it is read: ${remedy}`;
  return { status: 'failed', reason, tooMuch: null };
}
