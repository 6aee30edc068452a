import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { isPlain, member, type Plain, plain, strings, text } from '../plain.ts';
import type { EpochNanos } from '../vocabulary.ts';

/** What a search of the history of nodes asks for; null: of all. */
export interface HistorySearch {
  readonly cluster: string | null;
  readonly nodes: readonly string[] | null;
  readonly from: EpochNanos | null;
  readonly to: EpochNanos | null;
  /** How many of the newest are passed over, and how many are given then. */
  readonly skip: number;
  readonly size: number;
  /** Members of a hit. */
  readonly fields: readonly HitField[];
}

/** A node that was named in an episode. */
export interface HistoryHit {
  readonly cluster: string;
  readonly node: string;
  readonly jobId: string;
  readonly cycle: number;
  readonly at: EpochNanos;
}

/** What was found, the newest first. */
export interface HistoryHits {
  readonly hits: readonly HistoryHit[];
  /** How many there are in all; at least so many where not all were counted. */
  readonly total: number;
  readonly isTotalExact: boolean;
}

export type ReadSearch =
  | { readonly ok: true; readonly search: HistorySearch }
  /** Names the member that is not served. */
  | { readonly ok: false; readonly says: string };

const hitFields = ['cluster', 'node', 'episode_id', 'event_time'] as const;
type HitField = (typeof hitFields)[number];

const usualSize = 10;
const mostHits = 10_000;

/** A member that is not served: ignoring it would answer something else than was asked for. */
class NotServed extends Error {}

/**
 * Reads a search in Elasticsearch's form: `size`, `from`, `_source`, and a query of filters `term` on `cluster`, `terms`
 * or `term` on `node` and `range` on `event_time`, several of which narrow one another. Any other member is refused.
 */
export function readHistorySearch(body: unknown): ReadSearch {
  try {
    return { ok: true, search: searchOf(body) };
  } catch (error) {
    if (error instanceof NotServed) return { ok: false, says: error.message };
    throw error;
  }
}

function searchOf(body: unknown): HistorySearch {
  if (!isPlain(body)) throw new NotServed('the body must be a JSON object');
  only(body, '', ['size', 'from', '_source', 'query']);
  const size = countOf(body, 'size', usualSize);
  const skip = countOf(body, 'from', 0);
  if (skip + size > mostHits) throw new NotServed(`[from] + [size]: must be at most ${mostHits}`);
  const everything: HistorySearch = {
    cluster: null,
    nodes: null,
    from: null,
    to: null,
    skip,
    size,
    fields: fieldsOf(member(body, '_source')),
  };
  return filtersOf(member(body, 'query')).reduce<HistorySearch>(
    (search, [filter, place]) => narrow(search, filter, place),
    everything,
  );
}

function countOf(body: Plain, name: string, usual: number): number {
  const value = member(body, name);
  if (value === undefined) return usual;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostHits) return value;
  throw new NotServed(`[${name}]: must be a whole number from 0 to ${mostHits}`);
}

function fieldsOf(source: unknown): readonly HitField[] {
  if (source === undefined || source === true) return hitFields;
  const wanted = Array.isArray(source) ? source : [source];
  const known = hitFields.filter(name => wanted.includes(name));
  if (wanted.every(name => known.some(field => field === name))) return known;
  throw new NotServed(`[_source]: only ${hitFields.join(', ')} are served`);
}

type Filter = readonly [filter: unknown, place: string];

function filtersOf(query: unknown): readonly Filter[] {
  if (query === undefined) return [];
  const [kind, inner] = oneMember(query, 'query');
  if (kind === 'match_all') {
    only(inner, 'query.match_all.', []);
    return [];
  }
  if (kind !== 'bool') return [[query, 'query']];
  only(inner, 'query.bool.', ['filter', 'must']);
  return ['filter', 'must'].flatMap(name => {
    const clauses = member(plain(inner), name);
    const place = `query.bool.${name}`;
    if (clauses === undefined) return [];
    return Array.isArray(clauses)
      ? clauses.map((clause, at): Filter => [clause, `${place}[${at}]`])
      : [[clauses, place]];
  });
}

/** Refuses a member that is not on the list, and what is no object. */
function only(value: unknown, place: string, names: readonly string[]): void {
  if (!isPlain(value)) throw new NotServed(`[${place.replace(/\.$/, '')}]: must be an object`);
  const other = Object.keys(value).find(name => !names.includes(name));
  if (other !== undefined) throw new NotServed(`[${place}${other.slice(0, longestName)}] is not served`);
}

const longestName = 100;

function oneMember(value: unknown, place: string): readonly [string, unknown] {
  const [first, second] = isPlain(value) ? Object.entries(value) : [];
  if (first === undefined) throw new NotServed(`[${place}]: must be an object with one member`);
  if (second !== undefined) {
    throw new NotServed(`[${place}.${second[0].slice(0, longestName)}]: one member is served beside no other`);
  }
  return first;
}

function narrow(search: HistorySearch, filter: unknown, place: string): HistorySearch {
  const [kind, inner] = oneMember(filter, place);
  const [field, value] = oneMember(inner, `${place}.${kind.slice(0, longestName)}`);
  const name = field.replace(/\.keyword$/, '');
  const where = `${place}.${kind}.${field}`.slice(0, 2 * longestName);
  if (kind === 'term' && name === 'cluster') {
    const cluster = wordOf(value, where);
    return search.cluster === null || search.cluster === cluster
      ? { ...search, cluster }
      : { ...search, nodes: [] };
  }
  if (kind === 'term' && name === 'node') return withNodes(search, [wordOf(value, where)]);
  if (kind === 'terms' && name === 'node') return withNodes(search, wordsOf(value, where));
  if (kind === 'range' && name === 'event_time') return withRange(search, value, where);
  throw new NotServed(
    `[${where}] is not served: only term on cluster, term or terms on node and range on event_time are`,
  );
}

function withNodes(search: HistorySearch, wanted: readonly string[]): HistorySearch {
  const { nodes } = search;
  if (nodes === null) return { ...search, nodes: wanted };
  const both = new Set(nodes);
  return { ...search, nodes: wanted.filter(node => both.has(node)) };
}

function wordOf(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  only(value, `${place}.`, ['value']);
  const word = text(member(plain(value), 'value'));
  if (word === null) throw new NotServed(`[${place}.value]: must be a text`);
  return word;
}

function wordsOf(value: unknown, place: string): readonly string[] {
  const words = strings(value);
  if (Array.isArray(value) && words.length === value.length) return words;
  throw new NotServed(`[${place}]: must be a list of texts`);
}

function withRange(search: HistorySearch, range: unknown, place: string): HistorySearch {
  only(range, `${place}.`, ['gte', 'gt', 'lt', 'lte']);
  let { from, to } = search;
  for (const [bound, value] of Object.entries(plain(range))) {
    const at = timeOf(value);
    if (at === null) {
      throw new NotServed(`[${place}.${bound}]: must be a datetime with its offset, or milliseconds`);
    }
    if (bound.startsWith('g')) {
      const first = bound === 'gt' ? at + 1n : at;
      from = from === null || first > from ? first : from;
    } else {
      const end = bound === 'lte' ? at + 1n : at;
      to = to === null || end < to ? end : to;
    }
  }
  return { ...search, from, to };
}

/** A datetime with its offset, or milliseconds. */
function timeOf(value: unknown): EpochNanos | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value) * 1_000_000n;
  return typeof value === 'string' ? datetimeFromWire(value) : null;
}

/** What is refused, as Elasticsearch tells it. */
export function renderSearchRefused(says: string): string {
  const cause = { type: 'parsing_exception', reason: says };
  return JSON.stringify({ error: { root_cause: [cause], ...cause }, status: 400 });
}

export function renderHistoryHits(
  { hits, total, isTotalExact }: HistoryHits,
  fields: HistorySearch['fields'],
): string {
  return JSON.stringify({
    took: 0,
    timed_out: false,
    hits: {
      total: { value: total, relation: isTotalExact ? 'eq' : 'gte' },
      max_score: null,
      hits: hits.map(hit => {
        const source = sourceOf(hit);
        return { _source: Object.fromEntries(fields.map(field => [field, source[field]])) };
      }),
    },
  });
}

function sourceOf({ cluster, node, jobId, cycle, at }: HistoryHit): Readonly<Record<HitField, string>> {
  return { cluster, node, episode_id: `${jobId}_${cycle}`, event_time: datetimeToWire(at) };
}
