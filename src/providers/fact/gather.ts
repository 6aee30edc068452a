import type { BatchHeader, LineBatch, Origin, StateBatch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { CollectPlan, Log, Source } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracing.ts';
import type { BufferPool } from '../../evidence/buffers.ts';
import { collect } from '../../evidence/collect.ts';
import { type NewestLines, newestLines } from './newest-lines.ts';

/** What was read of one stream, cut to the newest lines. */
export interface GatheredStream {
  readonly header: BatchHeader;
  readonly lines: NewestLines;
}

export interface Gathered {
  /** By node as the sources know it; the empty name holds what belongs to no node. */
  readonly byNode: ReadonlyMap<string, readonly GatheredStream[]>;
  readonly coverage: readonly SourceCoverage[];
}

export interface GatherParts {
  readonly sources: readonly Source[];
  readonly buffers: BufferPool;
  readonly origins: ReadonlySet<Origin>;
  readonly bytesPerNode: number;
  readonly log: Log;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}

/** Reads all lines of the plan, unfiltered, and keeps the newest of each stream. Samples have no place in the dialect. */
export async function gather(parts: GatherParts, plan: CollectPlan, signal: AbortSignal): Promise<Gathered> {
  const streams = new Map<string, GatheredStream>();
  const batches = collect(parts.sources, { ...plan, cover: {} }, signal, parts.log, { tracer: parts.tracer });
  for (;;) {
    const step = await batches.next();
    if (step.done === true) return { byNode: groupByNode(streams), coverage: step.value };
    const batch = step.value;
    if (batch.kind === 'states') addRows(streamOf, batch, parts.origins);
    if (batch.kind !== 'lines') continue;
    if (parts.origins.has(batch.header.origin)) addOwn(streamOf(batch.header).lines, batch);
    parts.buffers.release(batch.bytes.buffer);
  }

  function streamOf(header: BatchHeader): GatheredStream {
    const key = JSON.stringify([header.source, header.origin, header.stream, header.node]);
    const stream = streams.get(key) ?? { header, lines: newestLines(parts.bytesPerNode) };
    streams.set(key, stream);
    return stream;
  }
}

/** Tables of a scheduler go as the lines that state their rows, each once, to the node that they are about. */
function addRows(
  streamOf: (header: BatchHeader) => GatheredStream,
  { header, rows }: StateBatch,
  origins: ReadonlySet<Origin>,
): void {
  if (!origins.has(header.origin)) return;
  const said = new Set<string>();
  for (const { node, line, text, instant } of rows) {
    const place = JSON.stringify([node, line, text]);
    if (said.has(place) || text === '') continue;
    said.add(place);
    const { lines } = streamOf({ ...header, node });
    lines.add(`${text.replaceAll('\n', ' ')}\n`, () => instant.nanos);
  }
}

function addOwn(lines: NewestLines, { header, bytes, ownFrom, ownTo }: LineBatch): void {
  const { entries } = header;
  const before = entries === undefined ? 0 : countLines(bytes, ownFrom);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + ownFrom, ownTo - ownFrom).toString('utf8');
  lines.add(text, line => entries?.stamps[before + line] ?? null);
}

function countLines(bytes: Uint8Array, to: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0 && at < to; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function groupByNode(
  streams: ReadonlyMap<string, GatheredStream>,
): ReadonlyMap<string, readonly GatheredStream[]> {
  return Map.groupBy(streams.values(), ({ header }) => header.node ?? '');
}
