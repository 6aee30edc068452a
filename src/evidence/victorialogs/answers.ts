import type { Nanos } from '../../core/time.ts';
import { coverageStatusOf, type HttpFailure, withoutRemedy } from '../http-client/failure.ts';
import type { StoredEntry, StoredStream } from '../log-store/edge-page.ts';
import { type Told, trouble } from '../log-store/log-store.ts';
import { quote } from './queries.ts';

const unknownForm = trouble('failed', 'the server answered in a form that is not known');

export interface ReadEntries {
  readonly streams: readonly StoredStream[];
  /** Entries as returned, and those among them that could not be read. */
  readonly broken: number;
}

/** Entries, one a line of JSON. */
export function readEntries(lines: unknown, nodeField: string | null): Told<ReadEntries> {
  if (!Array.isArray(lines)) return unknownForm;
  const streams = new Map<string, { stream: string; node: string | null; entries: StoredEntry[] }>();
  let broken = 0;
  for (const line of lines as readonly unknown[]) {
    const nanos = stampOf(text(line, '_time'));
    if (nanos === null) {
      broken += 1;
      continue;
    }
    const node = nodeField === null ? '' : text(line, nodeField);
    const stream = streamQuery(text(line, '_stream'), nodeField, node);
    const known = streams.get(stream) ?? { stream, node: node === '' ? null : node, entries: [] };
    streams.set(stream, known);
    known.entries.push({ nanos, text: text(line, '_msg') });
  }
  return { ok: true, value: { streams: [...streams.values()], broken } };
}

/** The query of a stream alone; one whose fields do not tell the node is one stream a node. */
function streamQuery(stream: string, nodeField: string | null, node: string): string {
  const selector = stream === '' || stream === '{}' ? '*' : stream;
  if (nodeField === null || node === '' || stream.includes(`${nodeField}=`)) return selector;
  return `${selector} ${quote(nodeField)}:=${quote(node)}`;
}

/** Counts of `stats_query` by the value of a field; without field under the empty name. */
export function readCounts(answer: unknown, nodeField: string | null): Told<ReadonlyMap<string, number>> {
  const result = member(member(answer, 'data'), 'result');
  if (member(answer, 'status') !== 'success' || !Array.isArray(result)) return unknownForm;
  const counts = new Map<string, number>();
  for (const item of result as readonly unknown[]) {
    const pair = member(item, 'value');
    const written: unknown = Array.isArray(pair) ? pair[1] : null;
    if (typeof written !== 'string' || !/^\d{1,15}$/.test(written)) return unknownForm;
    const name = nodeField === null ? '' : text(member(item, 'metric'), nodeField);
    if (nodeField === null || name !== '') counts.set(name, (counts.get(name) ?? 0) + Number(written));
  }
  return { ok: true, value: counts };
}

/** Values of `field_names` and `field_values`. */
export function readValues(answer: unknown): Told<readonly string[]> {
  const values = member(answer, 'values');
  if (!Array.isArray(values)) return unknownForm;
  return { ok: true, value: values.map(value => text(value, 'value')).filter(value => value !== '') };
}

/** Trouble for a failed request, with what to ask for less of where the server told. */
export function troubleOf(failed: HttpFailure): ReturnType<typeof trouble> {
  const reason = `the server ${withoutRemedy(failed)}`;
  if (/maxQueryLen/.test(failed.body)) return trouble('failed', `${reason}: the query is too long`, 'nodes');
  if (/maxQueryTimeRange/.test(failed.body)) {
    return trouble('truncated', `${reason}: the window is longer than maxQueryTimeRange`, 'time');
  }
  return trouble(coverageStatusOf(failed), `the server ${failed.message}`);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A field that is missing is empty, as the server means it. */
function text(line: unknown, field: string): string {
  const value = member(line, field);
  return typeof value === 'string' ? value : '';
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Nanoseconds of a stamp as the server writes it. */
function stampOf(written: string): Nanos | null {
  const match = rfc3339.exec(written);
  const ms = match === null ? Number.NaN : Date.parse(`${match[1]}Z`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt((match?.[2] ?? '').padEnd(9, '0'));
}
