import type { Nanos, Window } from '../../core/time.ts';
import type { LogOrigin, Selection } from '../log-store/log-store.ts';
import { isNodeName } from '../log-store/matchers.ts';
import type { ElasticsearchSettings, Terms } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** Writes the bodies of searches for one configured server. */
export interface Searches {
  /** Documents of an origin, whatever their node and time, by field. */
  terms(origin: LogOrigin, workloadId: string): Terms;
  /** Matches a selection from a stamp on. */
  query(selection: Selection, from: Nanos, nodeField: string | null): Json;
  filter(selection: Selection): string | null;
  /** A page of matches in the order of time. */
  page(query: unknown, nodeField: string | null, size: number): Json;
  /** The same in an order without ties, which can be taken up after any document. */
  sortable: Json;
  counts(query: unknown, field: string, size: number): Json;
  whole(origin: LogOrigin, span: Window): Json;
  /** Of what a query matches, the documents with the message, or those without it, as far as it is indexed. */
  withMessage(query: unknown): Json;
  withoutMessage(query: unknown): Json;
}

/** Nanoseconds where the field has them, in a text that JSON does not round. */
const stampFormat = 'strict_date_optional_time_nanos';

export function searches(settings: ElasticsearchSettings): Searches {
  const { timeField, messageField, filterField } = settings;
  const terms = (origin: LogOrigin, workloadId: string): Terms => {
    const { kernel, epilog, job } = settings;
    if (origin !== 'job') return { ...settings.terms, ...(origin === 'kernel' ? kernel : epilog)?.terms };
    return { ...settings.terms, ...job?.terms, ...(job === null ? {} : { [job.idField]: workloadId }) };
  };
  const base = (origin: LogOrigin, workloadId: string, { from, to }: Window): readonly Json[] => [
    ...Object.entries(terms(origin, workloadId)).map(([field, value]) => ({ term: { [field]: value } })),
    { range: { [timeField]: { gte: formatStamp(from), lt: formatStamp(to), format: stampFormat } } },
  ];
  return {
    terms,
    query({ origin, workloadId, window, nodes, cover }, from, nodeField) {
      const named = nodes === null || nodeField === null ? [] : [nodeFilter(nodeField, nodes)];
      const lines = cover === null || filterField === null ? [] : [coverFilter(filterField, cover)];
      const filter = [...base(origin, workloadId, { from, to: window.to }), ...named, ...lines];
      return { bool: { filter } };
    },
    filter: ({ cover }) =>
      cover === null || filterField === null
        ? null
        : `${filterField} is missing, or contains one of: ${cover.join(', ')}`,
    page: (query, nodeField, size) => ({
      size,
      query,
      track_total_hits: false,
      _source: [messageField, ...(settings.job === null ? [] : [settings.job.fileField])],
      docvalue_fields: [
        { field: timeField, format: stampFormat },
        ...(nodeField === null ? [] : [{ field: nodeField }]),
      ],
      sort: [{ [timeField]: { order: 'asc' } }],
    }),
    sortable: {
      sort: [
        { [timeField]: { order: 'asc', format: stampFormat, numeric_type: 'date_nanos' } },
        { _shard_doc: 'asc' },
      ],
    },
    counts: (query, field, size) => ({
      size: 0,
      query,
      track_total_hits: false,
      aggs: { nodes: { terms: { field, size } } },
    }),
    whole: (origin, span) => ({ bool: { filter: base(origin, '', span) } }),
    withMessage: query => ({ bool: { filter: [query, { exists: { field: messageField } }] } }),
    withoutMessage: query => ({ bool: { filter: [query, without(messageField)] } }),
  };
}

/** RFC 3339 with all nine digits. */
function formatStamp(nanos: Nanos): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, '0')}Z`;
}

/** The one way for names of nodes into a query: each is checked, and a value of its own. */
function nodeFilter(field: string, nodes: readonly string[]): Json {
  if (nodes.length === 0 || !nodes.every(isNodeName)) {
    throw new Error('a query was to name no node, or what is no node');
  }
  return { terms: { [field]: nodes } };
}

function without(field: string): Json {
  return { bool: { must_not: [{ exists: { field } }] } };
}

/** A document without the field, or with a text longer than the field keeps, may hold anything. */
function coverFilter(field: string, cover: readonly string[]): Json {
  const should = cover.map(text => ({
    wildcard: { [field]: { value: `*${text.replace(/[\\*?]/g, '\\$&')}*`, case_insensitive: true } },
  }));
  return { bool: { should: [...should, without(field)], minimum_should_match: 1 } };
}

/** A query of the server's own short form, for references. */
export function writeQuery(index: string, terms: Terms): string {
  const parts = Object.entries(terms).map(([field, value]) => `${field}:${JSON.stringify(value)}`);
  return `${index} ${parts.length === 0 ? '*' : parts.join(' AND ')}`;
}
