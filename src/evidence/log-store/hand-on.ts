import type { Batch } from '../../core/batch.ts';
import { checkBatches } from './check-batches.ts';
import type { Cursor, LogOrigin, Trouble } from './log-store.ts';
import { worse } from './read-selection.ts';
import { headerOf, type OriginReading } from './reading.ts';
import type { OriginCounts } from './store-coverage.ts';
import { type GatheredStream, streamBatches } from './stream-lines.ts';

/** Whose log a stream is: a node as the job spells it, null where nobody knows, or not asked for. */
export type Placing = (node: string | null) => { readonly node: string | null } | 'unasked';

/** What reading one selection brought. */
export interface ReadStreams {
  readonly streams: readonly GatheredStream[];
  readonly trouble: Trouble | null;
  /** Lines with stamps that nobody asked for. */
  readonly outside: number;
}

/** What reading one selection proved. */
export interface HandedOn {
  readonly trouble: Trouble | null;
  /** Lines handed on by name of node as the store spells it. */
  readonly linesByName: ReadonlyMap<string, number>;
  readonly outside: number;
  /** Why documents of health checks, or all text, were lost, by name of node as the store spells it; of no known node under null. */
  readonly lost: ReadonlyMap<string | null, readonly string[]>;
}

/** What has been read is still handed on for so long after the deadline. */
const windUpMs = 25;

const noText = 'none of its lines holds text: see which field has it';

/** Hands streams on as batches once they are read, as long as there is time. */
export async function* handOn<C extends Cursor>(
  reading: OriginReading<C>,
  read: Promise<ReadStreams>,
  placing: Placing,
  counts: OriginCounts,
): AsyncGenerator<Batch, HandedOn, void> {
  const { parts, lateness, asked } = reading;
  const { streams, trouble, outside } = await read;
  const linesByName = new Map<string, number>();
  const lost = new Map<string | null, readonly string[]>();
  const withText = new Set<string | null>();
  let late: Trouble | null = null;
  let unplaced = 0;
  for (const gathered of streams) {
    const place = placing(gathered.node);
    if (place === 'unasked') continue;
    if (lateness() > windUpMs) {
      const reason = 'the deadline came before its lines were handed on';
      late = { status: 'timed_out', reason, tooMuch: null };
      break;
    }
    const lines = gathered.lines.length;
    if (gathered.node === null) unplaced += lines;
    else linesByName.set(gathered.node, (linesByName.get(gathered.node) ?? 0) + lines);
    counts.streams += 1;
    counts.lines += lines;
    const header = headerOf(reading, place.node);
    const rest = asked.origin === 'health' ? yield* checkBatches(gathered, header) : { ...gathered, lost: [] };
    if (gathered.lines.some(line => line.trim() !== '')) withText.add(gathered.node);
    if (rest.lost.length > 0) {
      lost.set(gathered.node, [...new Set([...(lost.get(gathered.node) ?? []), ...rest.lost])]);
    }
    for await (const batch of streamBatches(rest, header, parts.tools.buffers)) {
      counts.bytes += batch.ownTo - batch.ownFrom;
      yield batch;
    }
  }
  // Nobody tells whose text a job's is.
  const names = asked.origin === 'job' && unplaced > 0 ? [null] : [...linesByName.keys()];
  for (const name of names.filter(name => !withText.has(name))) lost.set(name, [noText]);
  counts.remarks.push(...remarksOn(asked.origin, unplaced, outside));
  return { trouble: worse(trouble, late), linesByName, outside, lost };
}

function remarksOn(origin: LogOrigin, unplaced: number, outside: number): readonly string[] {
  return [
    ...(unplaced > 0 && origin !== 'job' ? [`${unplaced} lines name no node`] : []),
    ...(outside > 0 ? [`${outside} lines lay outside the window that was asked for and were left out`] : []),
  ];
}
