import type { Nanos, Window } from '../../core/time.ts';

/** What a log store may hold: kernel and health logs by node, a job's text by its id. */
export type LogOrigin = 'kernel' | 'health' | 'job';

/** What is asked of a store. */
export interface Selection {
  readonly origin: LogOrigin;
  readonly window: Window;
  /** Names as the store spells them; null: of whatever node. */
  readonly nodes: readonly string[] | null;
  /** Substrings of which a line must hold one, in any case; null: every line. */
  readonly cover: readonly string[] | null;
  /** Whose text, for the origin `job`. */
  readonly workloadId: string;
}

/** Why there is no answer, or not the whole one. */
export interface Trouble {
  readonly status: 'failed' | 'timed_out' | 'truncated';
  /** One sentence: no secret, no excerpt. */
  readonly reason: string;
  /** What to ask for less of, where that may help. */
  readonly tooMuch: 'nodes' | 'time' | null;
}

export type Told<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: Trouble };

export function trouble(
  status: Trouble['status'],
  reason: string,
  tooMuch: Trouble['tooMuch'] = null,
): { readonly ok: false; readonly trouble: Trouble } {
  return { ok: false, trouble: { status, reason, tooMuch } };
}

/** Lines of one stream in the order of their stamps, a stamp for each. */
export interface StreamPart {
  /** Query that returns the stream alone. */
  readonly stream: string;
  /** As the store spells it; null where the stream names none. */
  readonly node: string | null;
  readonly stamps: readonly Nanos[];
  readonly lines: readonly string[];
}

/** Where a page ended: every line before `reached` has been returned. */
export interface Cursor {
  readonly reached: Nanos;
}

export interface Page<C extends Cursor> {
  readonly parts: readonly StreamPart[];
  /** Null at the end of the window. */
  readonly next: C | null;
  /** Lines that the store returned though nobody asked for their time. */
  readonly outside: number;
  /** Why lines are missing that no further page will bring. */
  readonly lost: string | null;
}

export interface KnownNodes {
  /** As the store spells them, and as queries may name them. */
  readonly names: readonly string[];
  /** What is worth saying about how they were found. */
  readonly remarks: readonly string[];
}

/** Nodes whose lines hold no text, so that neither a filter nor a rule finds anything in them; a job's name is empty. */
export interface Textless {
  readonly names: ReadonlySet<string> | 'all';
  /** One sentence. */
  readonly remedy: string;
}

/** One log store, spoken to in its own language. Nothing here throws for what goes wrong outside. */
export interface LogStore<C extends Cursor> {
  /** The nodes that sent lines lately. `isAsked` tells which are wanted. */
  knownNodes(
    origin: LogOrigin,
    span: Window,
    isAsked: (name: string) => boolean,
    signal: AbortSignal,
  ): Promise<Told<KnownNodes>>;
  /** Cuts a list of names so that each part fits a query. */
  groups(
    selection: Selection,
    names: readonly string[],
    purpose: 'count' | 'read',
  ): readonly (readonly string[])[];
  /** Unfiltered lines in the window by node as the store spells it; of a job under the empty name. */
  count(selection: Selection, signal: AbortSignal): Promise<Told<ReadonlyMap<string, number>>>;
  /** Names of which no line in the window has its text where it is read, and what to do about it; absent: it cannot tell. */
  textless?(selection: Selection, signal: AbortSignal): Promise<Told<Textless>>;
  /** Lines in the window from its start, or from where a page ended. */
  page(selection: Selection, after: C | null, signal: AbortSignal): Promise<Told<Page<C>>>;
  /** Whether the store shows any line of the origin in the window. */
  hasLines(origin: LogOrigin, window: Window, signal: AbortSignal): Promise<Told<boolean>>;
  /** The query without names of nodes, and what the server filters lines by, for people to read. */
  describe(selection: Selection): { readonly query: string; readonly filter: string | null };
  /** The origins that are configured. */
  readonly origins: readonly LogOrigin[];
  close(): Promise<void>;
}
