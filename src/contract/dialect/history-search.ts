import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { isPlain, list, member, type Plain, plain, strings, text } from '../plain.ts';
import type { EpochNanos } from '../vocabulary.ts';

/** What a search of the history of nodes asks for; null: of all. */
export interface HistorySearch {
  readonly cluster: string | null;
  readonly nodes: readonly string[] | null;
  readonly from: EpochNanos | null;
  readonly to: EpochNanos | null;
  readonly size: number;
}

/** A node that was named in an episode. */
export interface HistoryHit {
  readonly cluster: string;
  readonly node: string;
  readonly jobId: string;
  readonly cycle: number;
  readonly at: EpochNanos;
}

export type ReadSearch =
  | { readonly ok: true; readonly search: HistorySearch }
  | { readonly ok: false; readonly says: string };

const usualSize = 10;
const mostHits = 10_000;

/**
 * Reads a search in Elasticsearch's form: filters `term` on `cluster`, `terms` or `term` on `node`, `range` on
 * `event_time`. Any other filter is refused, since ignoring it would answer more than was asked for.
 */
export function readHistorySearch(body: unknown): ReadSearch {
  const fields = plain(body);
  const size = member(fields, 'size') ?? usualSize;
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > mostHits) {
    return { ok: false, says: `size: must be a whole number from 0 to ${mostHits}` };
  }
  let search: HistorySearch = { cluster: null, nodes: null, from: null, to: null, size };
  for (const filter of filtersOf(member(fields, 'query'))) {
    const narrowed = narrow(search, filter);
    if (narrowed === null) {
      return {
        ok: false,
        says: 'query: only term on cluster, term or terms on node and range on event_time are served',
      };
    }
    search = narrowed;
  }
  return { ok: true, search };
}

function filtersOf(query: unknown): readonly unknown[] {
  if (query === undefined) return [];
  const fields = plain(query);
  if (member(fields, 'match_all') !== undefined) return [];
  const bool = member(fields, 'bool');
  if (!isPlain(bool)) return [query];
  const clauses = ['filter', 'must'].flatMap(name => [member(bool, name) ?? []].flat());
  const others = Object.keys(bool).filter(name => name !== 'filter' && name !== 'must');
  return [...clauses, ...others];
}

function narrow(search: HistorySearch, filter: unknown): HistorySearch | null {
  const [[kind, inner] = ['', null], ...more] = Object.entries(plain(filter));
  const [[field, value] = ['', null], ...others] = Object.entries(plain(inner));
  if (more.length > 0 || others.length > 0) return null;
  const name = field.replace(/\.keyword$/, '');
  if (kind === 'term' && name === 'cluster') {
    const cluster = wordOf(value);
    return cluster === null ? null : { ...search, cluster };
  }
  if (kind === 'term' && name === 'node') {
    const node = wordOf(value);
    return node === null ? null : { ...search, nodes: [node] };
  }
  if (kind === 'terms' && name === 'node') return { ...search, nodes: strings(list(value)) };
  return kind === 'range' && name === 'event_time' ? withRange(search, plain(value)) : null;
}

function wordOf(value: unknown): string | null {
  return text(value) ?? text(member(plain(value), 'value'));
}

function withRange(search: HistorySearch, range: Plain): HistorySearch | null {
  let { from, to } = search;
  for (const [bound, value] of Object.entries(range)) {
    const at = timeOf(value);
    if (at === null) return null;
    if (bound === 'gte') from = at;
    else if (bound === 'gt') from = at + 1n;
    else if (bound === 'lt') to = at;
    else if (bound === 'lte') to = at + 1n;
    else return null;
  }
  return { ...search, from, to };
}

/** A datetime with its offset, or milliseconds. */
function timeOf(value: unknown): EpochNanos | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value) * 1_000_000n;
  return typeof value === 'string' ? datetimeFromWire(value) : null;
}

export function renderHistoryHits(hits: readonly HistoryHit[]): string {
  return JSON.stringify({
    took: 0,
    timed_out: false,
    hits: {
      total: { value: hits.length, relation: 'eq' },
      max_score: null,
      hits: hits.map(({ cluster, node, jobId, cycle, at }) => ({
        _source: { cluster, node, episode_id: `${jobId}_${cycle}`, event_time: datetimeToWire(at) },
      })),
    },
  });
}
