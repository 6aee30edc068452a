import type { ReadStreams } from './hand-on.ts';
import type { Cursor, Selection } from './log-store.ts';
import { readSelection } from './read-selection.ts';
import type { OriginReading } from './reading.ts';
import type { OriginCounts } from './store-coverage.ts';
import { type GatheredStream, gatherStreams } from './stream-lines.ts';

/** How many nodes may still be looked at more closely, and how many lines that may be; shared by all queries. */
export interface Closer {
  nodes: number;
  lines: number;
}

/**
 * Reads the lines of nodes. Where the server filtered, nodes with hits are read whole as far as `closer` goes, those
 * with most hits first: rules that look around a hit need what the filter kept back.
 */
export async function readNodes<C extends Cursor>(
  reading: OriginReading<C>,
  selection: Selection,
  counted: ReadonlyMap<string, number>,
  closer: Closer,
  counts: OriginCounts,
): Promise<ReadStreams> {
  const { parts, signal, budget } = reading;
  const limits = { budget, slices: parts.concurrency };
  const { trouble, outside, ...read } = await readSelection(parts.store, selection, limits, signal);
  const streams = gatherStreams(read.parts);
  const names = selection.cover === null || signal.aborted ? [] : chooseCloser(streams, counted, closer);
  const [group = []] = parts.store.groups({ ...selection, cover: null }, names, 'read');
  if (group.length === 0) return { streams, trouble, outside };
  const whole = { ...selection, cover: null, nodes: group };
  const again = await readSelection(parts.store, whole, limits, signal);
  // The filtered lines are there, which is all that coverage promises.
  if (again.trouble !== null) return { streams, trouble, outside };
  counts.remarks.push(`${group.length} nodes with lines that passed the filter were read whole`);
  const replaced = new Set(group);
  const others = streams.filter(({ node }) => node === null || !replaced.has(node));
  return { streams: [...others, ...gatherStreams(again.parts)], trouble, outside: outside + again.outside };
}

function chooseCloser(
  streams: readonly GatheredStream[],
  counted: ReadonlyMap<string, number>,
  closer: Closer,
): readonly string[] {
  const hits = new Map<string, number>();
  for (const { node, lines } of streams) {
    if (node !== null && counted.has(node)) hits.set(node, (hits.get(node) ?? 0) + lines.length);
  }
  const chosen: string[] = [];
  for (const [name] of [...hits].sort(([, a], [, b]) => b - a)) {
    const lines = counted.get(name) ?? 0;
    if (closer.nodes === 0) break;
    if (lines > closer.lines) continue;
    chosen.push(name);
    closer.nodes -= 1;
    closer.lines -= lines;
  }
  return chosen;
}
