import type { Nanos, Window } from '../../core/time.ts';
import type { Cursor, Page, StreamPart } from './log-store.ts';
import { linesOf } from './stream-lines.ts';

/** One entry as a server returned it. */
export interface StoredEntry {
  readonly nanos: Nanos;
  readonly text: string;
  /** What tells it from others of one stream and stamp; without it the text does. */
  readonly id?: string;
}

/** Entries of one stream, which `stream` asks for alone. */
export interface StoredStream {
  readonly stream: string;
  readonly node: string | null;
  readonly entries: readonly StoredEntry[];
}

/** Where the next page begins. Entries with that stamp come again, and are known by stream and text. */
export interface EdgeCursor extends Cursor {
  readonly seen: ReadonlySet<string>;
  /** Entries to ask for. */
  readonly limit: number;
}

/** What was asked for with the page. */
export interface EdgeRequest {
  readonly window: Window;
  readonly after: EdgeCursor | null;
  readonly limit: number;
  /** What usually is asked for, and the most that a server may be asked for as far as is known. */
  readonly usualLimit: number;
  readonly mostEntries: number;
}

/**
 * A page of a server that returns the first so many entries from a stamp on: streams in order, without what came
 * before or comes twice. The next page begins at the last stamp, not after it, since such a server also cuts between
 * entries of one stamp.
 */
export function edgePage(
  streams: readonly StoredStream[],
  request: EdgeRequest,
  lost: string | null,
): Page<EdgeCursor> {
  const { after, window } = request;
  const range = { from: after?.reached ?? window.from, to: window.to };
  const edge = lastStamp(streams, range) ?? range.from;
  const known = after?.seen ?? new Set<string>();
  const seen = new Set(edge === after?.reached ? known : []);
  let outside = 0;
  const parts = streams.flatMap((stream): readonly StreamPart[] => {
    const inside = stream.entries.filter(({ nanos }) => isInside(nanos, range));
    outside += stream.entries.length - inside.length;
    const fresh = withoutRepeats(inOrder(inside)).filter(
      entry => entry.nanos !== after?.reached || !known.has(identityOf(stream, entry)),
    );
    for (const entry of fresh) if (entry.nanos === edge) seen.add(identityOf(stream, entry));
    return fresh.length === 0 ? [] : [partOf(stream, fresh)];
  });
  const returned = streams.reduce((sum, { entries }) => sum + entries.length, 0);
  if (returned < request.limit) return { parts, outside, next: null, lost };
  const next = nextOf(edge, range.from, seen, request);
  return { parts, outside, next: next.cursor, lost: lost ?? next.lost };
}

function isInside(nanos: Nanos, { from, to }: Window): boolean {
  return nanos >= from && nanos < to;
}

function identityOf({ stream }: StoredStream, { id, text }: StoredEntry): string {
  return `${stream}\n${id ?? text}`;
}

function lastStamp(streams: readonly StoredStream[], range: Window): Nanos | null {
  let last: Nanos | null = null;
  for (const { entries } of streams) {
    for (const { nanos } of entries) {
      if (isInside(nanos, range) && (last === null || nanos > last)) last = nanos;
    }
  }
  return last;
}

function inOrder(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const sorted = entries.every((entry, index) => entry.nanos >= (entries[index - 1]?.nanos ?? entry.nanos));
  return sorted ? entries : entries.toSorted((a, b) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0));
}

/** Replicas may return an entry each: of one stream, stamp and identity there is one entry. */
function withoutRepeats(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  let stamp: Nanos | null = null;
  let known = new Set<string>();
  return entries.filter(({ nanos, text, id = text }) => {
    if (nanos !== stamp) known = new Set();
    stamp = nanos;
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
}

function partOf({ stream, node }: StoredStream, entries: readonly StoredEntry[]): StreamPart {
  const stamps: Nanos[] = [];
  const lines: string[] = [];
  for (const { nanos, text } of entries) {
    for (const line of linesOf(text)) {
      stamps.push(nanos);
      lines.push(line);
    }
  }
  return { stream, node, stamps, lines };
}

/** On from the last stamp; past it only where no limit shows all entries that share it. */
function nextOf(
  edge: Nanos,
  from: Nanos,
  seen: ReadonlySet<string>,
  { limit, usualLimit, mostEntries, window }: EdgeRequest,
): { readonly cursor: EdgeCursor | null; readonly lost: string | null } {
  if (edge > from) return { cursor: { reached: edge, seen, limit: usualLimit }, lost: null };
  if (limit < mostEntries) {
    return { cursor: { reached: edge, seen, limit: Math.min(limit * 2, mostEntries) }, lost: null };
  }
  const reached = edge + 1n;
  const cursor = reached < window.to ? { reached, seen: new Set<string>(), limit: usualLimit } : null;
  return { cursor, lost: `more than ${limit} entries share one stamp, and the server returns no more at once` };
}
