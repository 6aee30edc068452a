import type { BatchHeader } from '../../core/batch.ts';
import type { Clock, CollectPlan, Log } from '../../core/ports.ts';
import type { BufferPool } from '../buffers.ts';
import type { Asked } from './asked.ts';
import type { Cursor, LogOrigin, LogStore, Selection } from './log-store.ts';
import type { Budget } from './read-selection.ts';
import type { LogStoreSettings } from './settings.ts';

/** One configured log store. */
export interface StoreParts<C extends Cursor> {
  readonly name: string;
  readonly store: LogStore<C>;
  readonly settings: LogStoreSettings;
  /** How lines of an origin are written: a name of `lines/formats`, or `auto`. */
  readonly formats: Readonly<Record<Exclude<LogOrigin, 'job'>, string>>;
  /** Requests at once. */
  readonly concurrency: number;
  readonly tools: { readonly clock: Clock; readonly log: Log; readonly buffers: BufferPool };
}

/** One reading of one origin. */
export interface OriginReading<C extends Cursor> {
  readonly parts: StoreParts<C>;
  readonly asked: Asked;
  readonly plan: CollectPlan;
  readonly signal: AbortSignal;
  readonly budget: Budget;
  readonly lateness: Lateness;
}

/** Milliseconds since the signal aborted; 0 before. */
export type Lateness = () => number;

export function latenessOf(signal: AbortSignal, clock: Clock): Lateness {
  let since: number | null = null;
  const note = (): void => {
    since = clock.elapsedMs();
  };
  if (signal.aborted) note();
  else signal.addEventListener('abort', note, { once: true });
  return () => (since === null ? 0 : clock.elapsedMs() - since);
}

export function budgetOf({ mostLines, mostBytes }: LogStoreSettings): Budget {
  return { lines: mostLines, bytes: mostBytes };
}

/** Everything of the origin in the window, of whatever node, unfiltered. */
export function wholeSelection<C extends Cursor>({ asked, plan }: OriginReading<C>): Selection {
  const { origin, window } = asked;
  return { origin, window, nodes: null, cover: null, workloadId: plan.request.workloadId };
}

/** Lines that carry no whole stamp of their own are dated by the store's. Job text stays job text, whatever it looks like. */
export function headerOf<C extends Cursor>(
  { parts, asked }: OriginReading<C>,
  node: string | null,
): Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'> {
  const { origin, window } = asked;
  return {
    source: parts.name,
    origin,
    format: origin === 'job' ? 'job' : parts.formats[origin],
    node,
    dating: {
      zone: 'UTC',
      zoneAssumed: true,
      year: new Date(Number(window.to / 1_000_000n)).getUTCFullYear(),
      bootNanos: null,
      near: window.to,
    },
  };
}
