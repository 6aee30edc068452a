import type { Nanos } from '../../core/time.ts';
import { coverageStatusOf, type HttpFailure, withoutRemedy } from '../http-client/failure.ts';
import type { StoredEntry, StoredStream } from '../log-store/edge-page.ts';
import { type Told, trouble } from '../log-store/log-store.ts';
import { writeQuery } from './searches.ts';
import type { ElasticsearchSettings, Terms } from './settings.ts';

const unknownForm = trouble('failed', 'the server answered in a form that is not known');

export interface ReadHits {
  readonly streams: readonly StoredStream[];
  /** Where the last hit stands in the order of the search. */
  readonly lastSort: readonly unknown[] | null;
  readonly lastStamp: Nanos | null;
  readonly hits: number;
  /** Why this is not all that matches. */
  readonly lost: string | null;
}

/** Where the parts of a line stand in a document. */
export interface HitContent {
  readonly settings: ElasticsearchSettings;
  /** What every document of the search has. */
  readonly terms: Terms;
  readonly nodeField: string | null;
  /** What tells files of one job apart. */
  readonly fileField: string | null;
}

/** Documents of a search, as the streams they belong to. */
export function readHits(answer: unknown, content: HitContent): Told<ReadHits> {
  const hits = member(member(answer, 'hits'), 'hits');
  if (!Array.isArray(hits)) return unknownForm;
  const streams = new Map<string, { stream: string; node: string | null; entries: StoredEntry[] }>();
  let broken = 0;
  let lastStamp: Nanos | null = null;
  for (const hit of hits as readonly unknown[]) {
    const document = documentOf(hit, content);
    if (document === null) {
      broken += 1;
      continue;
    }
    const { stream, node, entry } = document;
    const known = streams.get(stream) ?? { stream, node, entries: [] };
    streams.set(stream, known);
    known.entries.push(entry);
    lastStamp = entry.nanos;
  }
  const sort = member(hits.at(-1), 'sort');
  return {
    ok: true,
    value: {
      streams: [...streams.values()],
      lastSort: Array.isArray(sort) ? sort : null,
      lastStamp,
      hits: hits.length,
      lost: broken > 0 ? `${broken} documents could not be read` : partialReason(answer),
    },
  };
}

function documentOf(
  hit: unknown,
  { settings, terms, nodeField, fileField }: HitContent,
): { readonly stream: string; readonly node: string | null; readonly entry: StoredEntry } | null {
  const fields = member(hit, 'fields');
  const nanos = stampOf(first(member(fields, settings.timeField)));
  const text = messageOf(inSource(hit, settings.messageField));
  if (nanos === null || text === null) return null;
  const node = nodeField === null ? null : textOf(first(member(fields, nodeField)));
  const file = fileField === null ? null : textOf(inSource(hit, fileField));
  const own: Terms = {
    ...terms,
    ...(node === null || nodeField === null ? {} : { [nodeField]: node }),
    ...(file === null || fileField === null ? {} : { [fileField]: file }),
  };
  const id = textOf(member(hit, '_id'));
  return {
    stream: writeQuery(settings.index, own),
    node,
    entry: id === null ? { nanos, text } : { nanos, text, id },
  };
}

/** Documents by the value of a field. */
export function readBuckets(answer: unknown): Told<ReadonlyMap<string, number>> {
  const nodes = member(member(answer, 'aggregations'), 'nodes');
  const buckets = member(nodes, 'buckets');
  const partial = partialReason(answer);
  if (partial !== null) return trouble('truncated', partial);
  if (buckets === undefined && member(answer, 'hits') !== undefined) return { ok: true, value: new Map() };
  if (!Array.isArray(buckets)) return unknownForm;
  const counts = new Map<string, number>();
  for (const bucket of buckets as readonly unknown[]) {
    const name = textOf(member(bucket, 'key'));
    const count = member(bucket, 'doc_count');
    if (name === null || typeof count !== 'number' || !Number.isInteger(count)) return unknownForm;
    counts.set(name, count);
  }
  const others = member(nodes, 'sum_other_doc_count');
  if (typeof others === 'number' && others > 0) {
    return trouble('truncated', 'the server counts more nodes than one answer holds', 'nodes');
  }
  return { ok: true, value: counts };
}

/** How many documents match. */
export function readTotal(answer: unknown): Told<number> {
  const value = member(member(member(answer, 'hits'), 'total'), 'value');
  if (typeof value !== 'number' || !Number.isInteger(value)) return unknownForm;
  const partial = partialReason(answer);
  return partial === null ? { ok: true, value } : trouble('truncated', partial);
}

/** Those of some fields that documents have and that can be counted by. */
export function readFieldCaps(answer: unknown): Told<readonly string[]> {
  const fields = member(answer, 'fields');
  if (typeof fields !== 'object' || fields === null) return unknownForm;
  const usable = Object.entries(fields).filter(([, types]) =>
    Object.values((types ?? {}) as Readonly<Record<string, unknown>>).every(
      capabilities => member(capabilities, 'aggregatable') === true,
    ),
  );
  return { ok: true, value: usable.map(([name]) => name) };
}

/** Trouble for a failed request. */
export function troubleOf(failed: HttpFailure): ReturnType<typeof trouble> {
  const reason = `the server ${withoutRemedy(failed)}`;
  if (failed.status === 400 && /too_many_buckets|max_terms_count/.test(failed.body)) {
    return trouble('truncated', `${reason}: more nodes than it counts at once`, 'nodes');
  }
  return trouble(coverageStatusOf(failed), `the server ${failed.message}`);
}

/** The most documents of one answer, where a refusal tells it. */
export function windowLimit({ status, body }: HttpFailure): number | null {
  const digits = status === 400 ? /less than or equal to: \[(\d{1,9})\]/.exec(body)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

function partialReason(answer: unknown): string | null {
  if (member(answer, 'timed_out') === true) return 'the server stopped searching before the end';
  if (member(answer, 'terminated_early') === true) return 'the server stopped searching before the end';
  const clusters = member(answer, '_clusters');
  const unanswered = ['skipped', 'partial', 'failed'].map(name => countOf(clusters, name));
  // Compared so that a count that is no number is no proof of a whole answer.
  if (!unanswered.every(count => count === 0)) return 'not all clusters of the server answered whole';
  const shards = member(answer, '_shards');
  const total = countOf(shards, 'total');
  // Shards that are assigned to no machine are not counted as failed, and skipped ones are counted as successful.
  const missing = Math.max(countOf(shards, 'failed'), total - countOf(shards, 'successful'));
  if (Number.isNaN(missing)) return 'the server does not tell in numbers how many shards answered';
  return missing > 0 ? `${missing} of ${total} shards did not answer` : null;
}

/** What an answer tells no count of is none of it; what is no number is NaN. */
function countOf(told: unknown, name: string): number {
  const count = member(told, name) ?? 0;
  return typeof count === 'number' ? count : Number.NaN;
}

/** A value in the source of a document, whether the dots of its name are levels or not. */
function inSource(hit: unknown, path: string): unknown {
  const source = member(hit, '_source');
  const whole = member(source, path);
  if (whole !== undefined) return whole;
  return path.split('.').reduce((value: unknown, name) => member(value, name), source);
}

function messageOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.every(part => typeof part === 'string') ? value.join('\n') : null;
  return textOf(value);
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

function stampOf(written: unknown): Nanos | null {
  const match = typeof written === 'string' ? rfc3339.exec(written) : null;
  const ms = match === null ? Number.NaN : Date.parse(`${match[1]}Z`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt((match?.[2] ?? '').padEnd(9, '0'));
}
