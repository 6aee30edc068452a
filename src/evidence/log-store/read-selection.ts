import type { Cursor, LogStore, Page, Selection, StreamPart, Trouble } from './log-store.ts';

/** What is left of what may be read; shared by everything that reads one origin. */
export interface Budget {
  lines: number;
  bytes: number;
}

/** What was read of one selection, in the order of time for each stream. */
export interface ReadLines {
  readonly parts: readonly StreamPart[];
  readonly outside: number;
  readonly trouble: Trouble | null;
  /** Whether pages were left unread because no more were wanted. */
  readonly goesOn: boolean;
}

export interface ReadingLimits {
  readonly budget: Budget;
  /** Slices of time read side by side. */
  readonly slices: number;
  /** Only the first page is wanted. */
  readonly firstPage?: boolean;
}

/** A window is halved this often at the most for a server that refuses its length. */
const deepest = 6;

/**
 * Reads a selection to its end. Where the first page shows that many more will follow, what is left of the window is
 * cut into slices that are read side by side. What a server calls too much is asked for in halves.
 */
export function readSelection<C extends Cursor>(
  store: LogStore<C>,
  selection: Selection,
  limits: ReadingLimits,
  signal: AbortSignal,
): Promise<ReadLines> {
  return readFrom({ store, limits, signal }, selection, null, 0);
}

interface Run<C extends Cursor> {
  readonly store: LogStore<C>;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

/** Page after page, from the start or from where a page ended. */
async function readFrom<C extends Cursor>(
  run: Run<C>,
  selection: Selection,
  start: C | null,
  depth: number,
): Promise<ReadLines> {
  const { limits } = run;
  const done: ReadLines[] = [];
  for (let after = start; ; ) {
    const over = overBudget(limits.budget);
    if (over !== null) return joined([...done, { ...nothing, trouble: over }]);
    const told = await run.store.page(selection, after, run.signal);
    if (!told.ok) {
      const halves = after === null ? halve(selection, told.trouble, depth) : null;
      done.push(
        halves === null ? { ...nothing, trouble: told.trouble } : await readAll(run, halves, null, depth),
      );
      return joined(done);
    }
    const { next } = told.value;
    done.push(linesOf(told.value, limits));
    if (next === null || limits.firstPage === true) return joined(done);
    const rest = done.length > 1 || depth >= deepest ? [] : slicesAfter(selection, next, limits.slices);
    if (rest.length > 0) return joined([...done, await readAll(run, rest, next, depth)]);
    after = next;
  }
}

function linesOf<C extends Cursor>({ parts, outside, lost, next }: Page<C>, limits: ReadingLimits): ReadLines {
  spend(limits.budget, parts);
  return {
    parts,
    outside,
    trouble: lost === null ? null : truncated(lost),
    goesOn: next !== null && limits.firstPage === true,
  };
}

/** Side by side; the first goes on where a page ended. */
async function readAll<C extends Cursor>(
  run: Run<C>,
  selections: readonly Selection[],
  start: C | null,
  depth: number,
): Promise<ReadLines> {
  const reads = selections.map((each, index) => readFrom(run, each, index === 0 ? start : null, depth + 1));
  return joined(await Promise.all(reads));
}

const nothing: ReadLines = { parts: [], outside: 0, trouble: null, goesOn: false };

function truncated(reason: string): Trouble {
  return { status: 'truncated', reason, tooMuch: null };
}

function spend(budget: Budget, parts: readonly StreamPart[]): void {
  for (const { lines } of parts) {
    budget.lines -= lines.length;
    for (const line of lines) budget.bytes -= line.length + 1;
  }
}

function overBudget({ lines, bytes }: Budget): Trouble | null {
  if (lines > 0 && bytes > 0) return null;
  return truncated(`there is more than may be read (${lines > 0 ? 'mostBytes' : 'mostLines'})`);
}

/** What is left of a window, in as many slices as pages are to be expected; none where that is not worth it. */
function slicesAfter(selection: Selection, { reached }: Cursor, most: number): readonly Selection[] {
  const { from, to } = selection.window;
  if (reached <= from || reached >= to) return [];
  const count = Math.min(most, Math.ceil(Number(to - reached) / Number(reached - from)));
  const step = count < 3 ? 0n : (to - reached) / BigInt(count);
  if (step === 0n) return [];
  return Array.from({ length: count }, (_, index) => {
    const start = reached + step * BigInt(index);
    return { ...selection, window: { from: start, to: index === count - 1 ? to : start + step } };
  });
}

/** Two selections that make up one, of half the size in what was too much. */
export function halve(selection: Selection, { tooMuch }: Trouble, depth: number): readonly Selection[] | null {
  const { nodes, window } = selection;
  if (tooMuch === 'nodes' && nodes !== null && nodes.length > 1) {
    const middle = Math.ceil(nodes.length / 2);
    return [
      { ...selection, nodes: nodes.slice(0, middle) },
      { ...selection, nodes: nodes.slice(middle) },
    ];
  }
  const half = (window.to - window.from) / 2n;
  if (tooMuch !== 'time' || half === 0n || depth >= deepest) return null;
  return [
    { ...selection, window: { from: window.from, to: window.from + half } },
    { ...selection, window: { from: window.from + half, to: window.to } },
  ];
}

function joined(all: readonly ReadLines[]): ReadLines {
  return {
    parts: all.flatMap(({ parts }) => parts),
    outside: all.reduce((sum, { outside }) => sum + outside, 0),
    trouble: all.reduce<Trouble | null>((worst, each) => worse(worst, each.trouble), null),
    goesOn: all.some(({ goesOn }) => goesOn),
  };
}

const order: readonly Trouble['status'][] = ['truncated', 'timed_out', 'failed'];

/** The worse of two troubles; of equals the first. */
export function worse(a: Trouble | null, b: Trouble | null): Trouble | null {
  if (a === null || b === null) return a ?? b;
  return order.indexOf(b.status) > order.indexOf(a.status) ? b : a;
}
