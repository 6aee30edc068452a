import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';

type Fields = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

interface Stored {
  readonly id: string;
  readonly fields: Fields;
  readonly nanos: bigint;
  /** Place in the order that breaks ties. */
  readonly order: number;
}

/** `ignore_above` of the field with the whole text: what is longer is stored, and not found by that field. */
const longestWhole = 8191;

/** What a store may return that is well-formed and wrong. */
export const elasticsearchContentFaults = [
  'NaN',
  'clock five minutes off',
  'future stamps',
  'labels without the node',
  'duplicate streams',
  'out-of-order page',
  'empty',
] as const;
export type ElasticsearchContentFault = (typeof elasticsearchContentFaults)[number];

export interface FakeElasticsearchOptions extends FakeServerOptions {
  /** Which server it is like; `plain` keeps no points in time. */
  readonly like?: 'elasticsearch' | 'opensearch' | 'plain';
  /** Whether an order without ties is known. */
  readonly shardDoc?: boolean;
  /** `index.max_result_window`. */
  readonly mostDocuments?: number;
  /** Shards that do not answer, and whether searching stops early. */
  readonly failedShards?: number;
  /** Shards that no machine holds: they count neither as successful nor as failed. */
  readonly unassignedShards?: number;
  readonly stopsEarly?: boolean;
  readonly content?: ElasticsearchContentFault | null;
}

/** An Elasticsearch that keeps what is sent in bulk, and answers the searches that this product sends. */
export async function startFakeElasticsearch(options: FakeElasticsearchOptions = {}): Promise<FakeServer> {
  const documents: Stored[] = [];
  return startFakeServer(request => answer(request, documents, options), options);
}

function answer(request: FakeRequest, documents: Stored[], options: FakeElasticsearchOptions): FakeAnswer {
  const { method, path, parameters, body } = request;
  const { like = 'elasticsearch' } = options;
  if (path.endsWith('/_bulk')) return bulk(body, documents, options.content ?? null);
  if (method === 'PUT') return json({ acknowledged: true });
  if (path.endsWith('/_pit') && like === 'elasticsearch')
    return json(method === 'POST' ? { id: 'p1' } : { succeeded: true });
  if (path.endsWith('/_search/point_in_time') && like === 'opensearch') return json({ pit_id: 'p1' });
  if (path.endsWith('/_pit') || path.endsWith('/point_in_time')) return refusal(405, 'incorrect HTTP method');
  if (path.endsWith('/_field_caps'))
    return fieldCaps(parameters.get('fields') ?? '', documents, options.content ?? null);
  const missing = (options.failedShards ?? 0) + (options.unassignedShards ?? 0);
  if (missing > 0 && parameters.get('allow_partial_search_results') !== 'true') {
    return refusal(503, 'Search rejected due to missing shards');
  }
  if (path.endsWith('/_search')) return search(path, JSON.parse(body) as Json, documents, options);
  return refusal(404, 'no handler found');
}

function bulk(body: string, documents: Stored[], fault: ElasticsearchContentFault | null): FakeAnswer {
  const lines = body.split('\n').filter(line => line !== '');
  const shift = fault === 'clock five minutes off' ? 300_000_000_000n : 0n;
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const { '@timestamp': stamp = '', ...rest } = JSON.parse(lines[at + 1] ?? '{}') as Record<string, string>;
    const { 'host.name': _host, ...others } = rest;
    documents.push({
      id: `d${documents.length}`,
      fields: fault === 'labels without the node' ? others : rest,
      nanos: stampOf(stamp) + shift,
      order: documents.length,
    });
  }
  return json({ errors: false });
}

function fieldCaps(
  names: string,
  documents: readonly Stored[],
  fault: ElasticsearchContentFault | null,
): FakeAnswer {
  const known = names
    .split(',')
    .filter(name => fault !== 'empty' && documents.some(({ fields }) => fields[name] !== undefined));
  const fields = known.map(name => [
    name,
    { keyword: { type: 'keyword', searchable: true, aggregatable: true } },
  ]);
  return json({ indices: ['logs'], fields: Object.fromEntries(fields) });
}

function search(
  path: string,
  body: Json,
  documents: readonly Stored[],
  options: FakeElasticsearchOptions,
): FakeAnswer {
  const size = typeof body['size'] === 'number' ? body['size'] : 10;
  const most = options.mostDocuments ?? 10_000;
  if (size > most) {
    return refusal(
      400,
      `Result window is too large, from + size must be less than or equal to: [${most}] but was [${size}]`,
    );
  }
  if ((path === '/_search') !== (body['pit'] !== undefined))
    return refusal(400, 'a point in time has no index');
  const sort = (body['sort'] ?? []) as readonly Json[];
  const tieless = sort.some(key => '_shard_doc' in key);
  if (tieless && options.shardDoc === false) {
    return refusal(400, 'No mapping found for [_shard_doc] in order to sort on');
  }
  const keep = queryOf((body['query'] ?? {}) as Json);
  const found = (options.content === 'empty' ? [] : documents.filter(keep)).toSorted((a, b) =>
    a.nanos === b.nanos ? (tieless ? a.order - b.order : b.order - a.order) : a.nanos < b.nanos ? -1 : 1,
  );
  const after = body['search_after'] as readonly [string, number] | undefined;
  const rest =
    after === undefined
      ? found
      : found.filter(({ nanos, order }) => {
          const stamp = stampOf(after[0]);
          return nanos > stamp || (nanos === stamp && order > after[1]);
        });
  const hits = rest.slice(0, size).map(each => hitOf(each, body, tieless, options.content ?? null));
  const twice = options.content === 'duplicate streams' ? [...hits, ...hits] : hits;
  const failed = options.failedShards ?? 0;
  const unassigned = options.unassignedShards ?? 0;
  return json({
    took: 1,
    timed_out: options.stopsEarly === true,
    _shards: { total: 5, successful: 5 - failed - unassigned, skipped: 0, failed },
    hits: {
      ...(body['track_total_hits'] === true
        ? { total: { value: options.content === 'NaN' ? 'NaN' : found.length, relation: 'eq' } }
        : {}),
      hits: options.content === 'out-of-order page' ? twice.toReversed() : twice,
    },
    ...aggregationsOf((body['aggs'] ?? null) as Json | null, found, options.content ?? null),
  });
}

function hitOf(
  { id, fields, nanos, order }: Stored,
  body: Json,
  tieless: boolean,
  fault: ElasticsearchContentFault | null,
): Json {
  const year = 31_536_000_000_000_000n;
  const stamp = fault === 'NaN' ? 'NaN' : formatStamp(fault === 'future stamps' ? nanos + year : nanos);
  const wanted = (body['_source'] ?? []) as readonly string[];
  const values = ((body['docvalue_fields'] ?? []) as readonly { field: string }[]).flatMap(({ field }) => {
    const value = field === '@timestamp' ? stamp : fields[field];
    return value === undefined ? [] : [[field, [value]] as const];
  });
  return {
    _index: 'logs',
    _id: id,
    _source: Object.fromEntries(
      wanted.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])),
    ),
    fields: Object.fromEntries(values),
    sort: tieless ? [formatStamp(nanos), order] : [Number(nanos / 1_000_000n)],
  };
}

function aggregationsOf(
  aggs: Json | null,
  found: readonly Stored[],
  fault: ElasticsearchContentFault | null,
): Json {
  const terms = (aggs?.['nodes'] as { terms: { field: string; size: number } } | undefined)?.terms;
  if (terms === undefined) return {};
  const counts = new Map<string, number>();
  for (const { fields } of found) {
    const name = fields[terms.field];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const buckets = [...counts].sort(([, a], [, b]) => b - a);
  const others = buckets.slice(terms.size).reduce((sum, [, count]) => sum + count, 0);
  return {
    aggregations: {
      nodes: {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: others,
        buckets: buckets
          .slice(0, terms.size)
          .map(([key, count]) => ({ key, doc_count: fault === 'NaN' ? 'NaN' : count })),
      },
    },
  };
}

function queryOf(query: Json): (document: Stored) => boolean {
  const [kind = '', content] = Object.entries(query)[0] ?? [];
  if (kind === 'bool') {
    const parts = content as Readonly<Record<'filter' | 'should' | 'must_not', readonly Json[] | undefined>>;
    const all = (parts.filter ?? []).map(queryOf);
    const any = (parts.should ?? []).map(queryOf);
    const no = (parts.must_not ?? []).map(queryOf);
    return document =>
      all.every(keep => keep(document)) &&
      (any.length === 0 || any.some(keep => keep(document))) &&
      !no.some(keep => keep(document));
  }
  const [field = '', wanted] = Object.entries((content ?? {}) as Json)[0] ?? [];
  if (kind === 'exists') return ({ fields }) => indexed(fields, String(wanted)) !== undefined;
  if (kind === 'term') return ({ fields }) => fields[field] === wanted;
  if (kind === 'terms') {
    const values = new Set(wanted as readonly string[]);
    return ({ fields }) => values.has(fields[field] ?? '');
  }
  if (kind === 'range') {
    const { gte, lt } = wanted as { gte: string; lt: string };
    const [from, to] = [stampOf(gte), stampOf(lt)];
    return ({ nanos }) => nanos >= from && nanos < to;
  }
  if (kind === 'wildcard') {
    const { value } = wanted as { value: string };
    const text = value.slice(1, -1).replace(/\\([\\*?])/g, '$1');
    return ({ fields }) => (indexed(fields, field) ?? '').toLowerCase().includes(text.toLowerCase());
  }
  throw new Error(`the fake does not know the query ${kind}`);
}

/** The whole text stands in a field of its own below the one that is analysed, up to a length. */
function indexed(fields: Fields, field: string): string | undefined {
  const value = fields[field.replace(/\.whole$/, '')];
  return field.endsWith('.whole') && value !== undefined && value.length > longestWhole ? undefined : value;
}

function stampOf(written: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d{1,9}))?Z$/.exec(written) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function formatStamp(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, '0')}Z`;
}

function json(value: unknown): FakeAnswer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function refusal(status: number, reason: string): FakeAnswer {
  const error = { type: 'illegal_argument_exception', reason };
  return { status, type: 'application/json', body: JSON.stringify({ error, status }) };
}
