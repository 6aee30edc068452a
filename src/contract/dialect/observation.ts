import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { isPlain, list, member, type Plain, plain, text } from '../plain.ts';
import type { EpochNanos } from '../vocabulary.ts';

/** Lines of one log, oldest first. */
export interface ObservedStream {
  /** Labels: `app`, `hostname` and whatever else the sender puts there. */
  readonly labels: Readonly<Record<string, string>>;
  readonly stamps: readonly EpochNanos[];
  readonly lines: readonly string[];
}

export interface Observation {
  readonly from: EpochNanos | null;
  readonly to: EpochNanos | null;
  readonly streams: readonly ObservedStream[];
  /** Entries that could not be read and were left out. */
  readonly skipped: number;
}

/** The only format of the dialect's bodies. */
const format = 'raw_loki_streams';

/** The body that submits an observation. */
export function renderObservation(
  window: { from: EpochNanos; to: EpochNanos },
  streams: readonly ObservedStream[],
): object {
  return {
    context: {
      time_interval: { start: datetimeToWire(window.from), end: datetimeToWire(window.to) },
      resources: 'AllJobResources',
      source: 'syslog',
      format,
    },
    body: JSON.stringify(
      streams.map(({ labels, stamps, lines }) => ({
        stream: labels,
        values: lines.map((line, index) => [String(stamps[index] ?? 0n), entryText(line, labels)]),
      })),
    ),
  };
}

function entryText(line: string, labels: ObservedStream['labels']): string {
  return JSON.stringify({
    body: line,
    severity: 'info',
    attributes: { hostname: labels['hostname'] ?? '', appname: labels['app'] ?? '', facility: 0 },
    resources: {},
  });
}

export type ReadObservation =
  | { readonly ok: true; readonly observation: Observation }
  | { readonly ok: false; readonly says: string };

/** Whether a text can be an observation, told without taking it apart: the reading comes later. */
export function looksLikeObservation(bytes: Uint8Array): boolean {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? bytes.subarray(3) : bytes;
  const first = text.find(byte => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  const last = bytes.findLast(byte => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x7b && last === 0x7d;
}

/**
 * Reads the body of an observation. The streams may stand in it as a JSON text, as the public client sends them, or as
 * they are; an entry may be a JSON object with a `body`, or the bare line. What cannot be read is counted and left out.
 */
export function readObservation(body: unknown): ReadObservation {
  if (!isPlain(body)) return { ok: false, says: 'must be an object' };
  const given = member(body, 'body');
  const streams = typeof given === 'string' ? parse(given) : given;
  if (!Array.isArray(streams)) return { ok: false, says: 'body: must be a list of streams, or its JSON text' };
  const context = plain(member(body, 'context'));
  const interval = plain(member(context, 'time_interval'));
  let skipped = 0;
  const read: ObservedStream[] = [];
  for (const item of streams) {
    if (!isPlain(item) || !Array.isArray(member(item, 'values'))) {
      skipped += 1;
      continue;
    }
    const { stream, bad } = streamOf(item);
    skipped += bad;
    if (stream.lines.length > 0) read.push(stream);
  }
  const observation = { from: timeOf(interval, 'start'), to: timeOf(interval, 'end'), streams: read, skipped };
  return { ok: true, observation };
}

function streamOf(item: Plain): { readonly stream: ObservedStream; readonly bad: number } {
  const labels: Record<string, string> = {};
  for (const [name, value] of Object.entries(plain(member(item, 'stream')))) {
    if (typeof value === 'string') labels[name] = value;
  }
  const stamps: EpochNanos[] = [];
  const lines: string[] = [];
  let bad = 0;
  for (const value of list(member(item, 'values'))) {
    const entry = entryOf(value);
    if (entry === null) {
      bad += 1;
      continue;
    }
    const several = entry.text.includes('\n') ? entry.text.replace(/\r?\n$/, '').split('\n') : [entry.text];
    for (const line of several) {
      stamps.push(entry.stamp);
      lines.push(line);
    }
  }
  return { stream: { labels, stamps, lines }, bad };
}

/** 2554-07-21: what 64 bits of nanoseconds reach. */
const lastStamp = 18_446_744_073_709_551_615n;

function entryOf(value: unknown): { readonly stamp: EpochNanos; readonly text: string } | null {
  const [at, said] = list(value);
  const digits = typeof at === 'number' && Number.isSafeInteger(at) ? String(at) : at;
  if (typeof digits !== 'string' || !/^\d{1,20}$/.test(digits) || typeof said !== 'string') return null;
  const stamp = BigInt(digits);
  return stamp > lastStamp ? null : { stamp, text: lineOf(said) };
}

/** The line of an entry: its `body` where it is an object that has one, else the entry itself. */
function lineOf(said: string): string {
  if (!said.startsWith('{')) return said;
  const usual = usualLine(said);
  if (usual !== null) return usual;
  const entry = parse(said);
  const line = isPlain(entry) ? text(member(entry, 'body')) : null;
  return line ?? said;
}

const before = '{"body":"';

/**
 * The line of an entry as the public client writes it, body first, found without taking the rest apart: there are
 * millions of them in a surge. Null where it has another form.
 */
function usualLine(said: string): string | null {
  if (!said.startsWith(before) || !said.endsWith('}')) return null;
  let end = said.indexOf('"', before.length);
  let hasEscapes = false;
  while (end > 0 && said[end - 1] === '\\') {
    hasEscapes = true;
    let slashes = 1;
    while (said[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) break;
    end = said.indexOf('"', end + 1);
  }
  if (end < 0 || (said[end + 1] !== ',' && said[end + 1] !== '}') || said.indexOf('"body"', end) >= 0)
    return null;
  const written = said.slice(before.length, end);
  if (!hasEscapes && !written.includes('\\')) return written;
  return text(parse(said.slice(before.length - 1, end + 1)));
}

function timeOf(interval: Plain, name: string): EpochNanos | null {
  const given = text(member(interval, name));
  return given === null ? null : datetimeFromWire(given);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

export function renderObservationAccepted(id: string): string {
  return JSON.stringify({ observation_id: id });
}
