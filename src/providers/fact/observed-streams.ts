import type { ObservedStream } from '../../contract/dialect/index.ts';
import type { BatchHeader } from '../../core/batch.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { second } from '../../core/time.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import type { GatheredStream } from './gather.ts';
import { lineBytes, type StampedLine } from './newest-lines.ts';

/** The streams of one node as they are submitted, the newest lines within the budget of all of them together. */
export interface NodeStreams {
  readonly streams: readonly ObservedStream[];
  readonly cut: boolean;
}

interface DatedLine {
  readonly text: string;
  readonly stamp: Nanos;
}

interface DatedStream {
  readonly header: BatchHeader;
  readonly lines: readonly DatedLine[];
  readonly synthetic: boolean;
}

/** `hostname` is the node as the request spells it, or empty for what belongs to no node. */
export function observedStreams(
  gathered: readonly GatheredStream[],
  hostname: string,
  bytesPerNode: number,
  window: Window,
): NodeStreams {
  const dated = gathered.map(stream => dateStream(stream, window)).filter(({ lines }) => lines.length > 0);
  const { kept, cut } = withinBudget(dated, bytesPerNode);
  const isWhole = !cut && !gathered.some(({ lines }) => lines.isCut());
  return {
    cut: !isWhole,
    streams: kept.map(({ header, lines, synthetic }) => ({
      labels: {
        job: 'attribution-adapter',
        app: header.origin === 'kernel' ? 'dmesg' : header.origin,
        hostname,
        filename: header.stream,
        ...(isWhole ? { filter: 'none' } : {}),
        ...(synthetic ? { stamps: 'synthetic' } : {}),
      },
      stamps: lines.map(({ stamp }) => stamp),
      lines: lines.map(({ text }) => text),
    })),
  };
}

/** Stamps never fall. Where no line says when it was written, they only number the lines, and the stream says so. */
function dateStream({ header, lines }: GatheredStream, window: Window): DatedStream {
  const texts = lines.lines();
  const known = texts.map(line => stampOf(line, header));
  const first = known.find(stamp => stamp !== null);
  let last = (first ?? window.to - second) - 1n;
  const dated = texts.map(({ text }, index) => {
    const stamp = known[index] ?? null;
    last = stamp === null || stamp <= last ? last + 1n : stamp;
    return { text, stamp: last };
  });
  return { header, lines: dated, synthetic: first === undefined };
}

const prefixLength = 4096;

function stampOf({ text, stored }: StampedLine, header: BatchHeader): Nanos | null {
  if (stored !== null) return stored;
  const dating = { ...header.dating, clock: header.stream };
  return parseLine(header.format, text.slice(0, prefixLength), dating).instant?.nanos ?? null;
}

function withinBudget(
  streams: readonly DatedStream[],
  budget: number,
): { readonly kept: readonly DatedStream[]; readonly cut: boolean } {
  const size = ({ lines }: DatedStream): number => lines.reduce((sum, { text }) => sum + lineBytes(text), 0);
  if (streams.reduce((sum, stream) => sum + size(stream), 0) <= budget + 1)
    return { kept: streams, cut: false };
  const newest = streams
    .flatMap((stream, index) => stream.lines.map((line, at) => ({ index, at, line })))
    .sort((a, b) => (a.line.stamp > b.line.stamp ? -1 : a.line.stamp < b.line.stamp ? 1 : b.at - a.at));
  const starts = streams.map(({ lines }) => lines.length);
  let left = budget + 1;
  for (const { index, at, line } of newest) {
    left -= lineBytes(line.text);
    if (left < 0) break;
    starts[index] = Math.min(starts[index] ?? at, at);
  }
  const kept = streams.map((stream, index) => ({ ...stream, lines: stream.lines.slice(starts[index]) }));
  return { kept: kept.filter(({ lines }) => lines.length > 0), cut: true };
}
