import type { Batch, BatchHeader, LineBatch } from '../../src/core/batch.ts';
import type { SourceCoverage } from '../../src/core/coverage.ts';
import type { Clock, CollectPlan, Source } from '../../src/core/ports.ts';
import { millisecond, type Window } from '../../src/core/time.ts';
import { expandHostList } from '../../src/lines/host-list.ts';
import { sampleRequest } from './sample-request.ts';

/** The machine's clock, for tests that talk to servers. */
export const machineClock: Clock = {
  now: () => BigInt(Date.now()) * millisecond,
  elapsedMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** One line that a batch owns, with all that is known of it. */
export interface ReadLine {
  readonly header: BatchHeader;
  readonly text: string;
  readonly stamp: bigint | null;
  readonly number: number;
}

export interface Collected {
  readonly lines: readonly ReadLine[];
  readonly coverage: readonly SourceCoverage[];
}

/** Reads a source to its end. */
export async function collectLines(
  source: Source,
  plan: CollectPlan,
  signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
  const lines: ReadLine[] = [];
  const collection = source.collect(plan, signal);
  for (;;) {
    const step = await collection.next();
    if (step.done === true) return { lines, coverage: step.value };
    lines.push(...linesOfBatch(step.value));
  }
}

function linesOfBatch(batch: Batch): readonly ReadLine[] {
  if (batch.kind !== 'lines') return [];
  return ownLines(batch);
}

function ownLines({ header, bytes, ownFrom, ownTo }: LineBatch): readonly ReadLine[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const before = text.toString('utf8', 0, ownFrom).split('\n').length - 1;
  return text
    .toString('utf8', ownFrom, ownTo)
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => ({
      header,
      text: line,
      stamp: header.entries?.stamps[before + index] ?? null,
      number: header.firstLine + before + index,
    }));
}

export function planFor(
  nodes: readonly string[],
  window: Window,
  more: Partial<CollectPlan> = {},
): CollectPlan {
  return {
    request: sampleRequest({ workloadId: '4711', scope: { nodes, ranks: [], startTime: null, endTime: null } }),
    windows: [window],
    epilogWindow: null,
    nodes: nodes.map(name => ({ name, aliases: [] })),
    cover: {},
    only: null,
    everything: false,
    ...more,
  };
}

/** Status by node of one origin, each node's name written out. */
export function statusesOf(
  coverage: readonly SourceCoverage[],
  origin: SourceCoverage['origin'],
): Readonly<Record<string, string>> {
  const statuses: Record<string, string> = {};
  for (const { groups } of coverage.filter(entry => entry.origin === origin)) {
    for (const { nodes, status } of groups) {
      const expanded = nodes === '' ? null : expandHostList(nodes, 100_000);
      for (const name of expanded?.ok === true ? expanded.names : ['']) statuses[name] = status;
    }
  }
  return statuses;
}
