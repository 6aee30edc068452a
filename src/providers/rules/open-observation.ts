import { type ObservedStream, readObservation } from '../../contract/dialect/index.ts';
import type { Nanos } from '../../core/time.ts';
import { decodeLine } from '../../evidence/log-store/stream-lines.ts';

/** How far what is pushed is believed; see `PushedSettings`. */
export type Trust = 'kernel' | 'job';

/** One stream of an observation: a part of its lines. */
export interface OpenedStream {
  /** Those that decide something. */
  readonly labels: Readonly<Record<string, string>>;
  readonly origin: 'kernel' | 'job';
  /** Whether its stamps only number the lines. */
  readonly isNumbered: boolean;
  /** Positions of its lines, and of its bytes. */
  readonly lines: { readonly from: number; readonly to: number };
  readonly bytes: { readonly from: number; readonly to: number };
}

/** An observation taken apart, in a form that goes from thread to thread without being copied. */
export interface OpenedObservation {
  readonly from: Nanos | null;
  readonly to: Nanos | null;
  /** Entries that could not be read and were left out. */
  readonly skipped: number;
  readonly streams: readonly OpenedStream[];
  /** The stamp of each line of all streams. */
  readonly stamps: BigInt64Array<ArrayBuffer>;
  /** All lines of all streams, each ended. */
  readonly text: Uint8Array<ArrayBuffer>;
}

const telling = ['hostname', 'app', 'filename', 'job', 'stamps', 'filter'];
/** More than an aggregator sends for the largest job; what is beyond counts as left out. */
const mostStreams = 20_000;

/** Takes an observation apart; null where the bytes are none. */
export function openObservation(bytes: Uint8Array, trust: Trust): OpenedObservation | null {
  const read = readObservation(parse(bytes));
  if (!read.ok) return null;
  const { from, to, streams } = read.observation;
  const kept = streams.slice(0, mostStreams);
  const beyond = streams.slice(mostStreams).reduce((sum, { lines }) => sum + lines.length, 0);
  const encoder = new TextEncoder();
  const texts: Uint8Array[] = [];
  let lineAt = 0;
  let byteAt = 0;
  const opened = kept.map((stream): OpenedStream => {
    const origin = originOf(stream, trust);
    const lines = origin === 'kernel' ? stream.lines.map(decodeLine) : stream.lines;
    const text = encoder.encode(`${lines.join('\n')}\n`);
    texts.push(text);
    const place = {
      lines: { from: lineAt, to: lineAt + lines.length },
      bytes: { from: byteAt, to: byteAt + text.length },
    };
    lineAt = place.lines.to;
    byteAt = place.bytes.to;
    return { labels: labelsOf(stream), origin, isNumbered: isNumbered(stream), ...place };
  });
  const stamps = new BigInt64Array(lineAt);
  const text = new Uint8Array(byteAt);
  for (const [at, { lines, bytes: place }] of opened.entries()) {
    stamps.set(kept[at]?.stamps ?? [], lines.from);
    text.set(texts[at] ?? [], place.from);
  }
  return { from, to, skipped: read.observation.skipped + beyond, streams: opened, stamps, text };
}

/** Labels can only lower trust: a log of another program than the kernel is the job's word. */
function originOf({ labels }: ObservedStream, trust: Trust): 'kernel' | 'job' {
  const app = labels['app'];
  const isKernel = app === undefined || app === 'dmesg' || app === 'kernel';
  return trust === 'kernel' && isKernel ? 'kernel' : 'job';
}

function labelsOf({ labels }: ObservedStream): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => telling.includes(name)));
}

function isNumbered({ stamps }: ObservedStream): boolean {
  return stamps.length > 1 && stamps.every((stamp, at) => at === 0 || stamp - (stamps[at - 1] ?? 0n) <= 1n);
}

const decoder = new TextDecoder();

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return null;
  }
}
