import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';
import { LogqlError, parseCount, parseLogQuery } from './logql.ts';

type Labels = Readonly<Record<string, string>>;

interface Entry {
  readonly nanos: bigint;
  readonly line: string;
  readonly metadata: Labels;
}

interface Stream {
  readonly labels: Labels;
  readonly entries: Entry[];
}

/** What a store may return that is well-formed and wrong. */
export const lokiContentFaults = [
  'NaN',
  'clock five minutes off',
  'future stamps',
  'labels without the node',
  'duplicate streams',
  'out-of-order page',
  'empty',
] as const;
export type LokiContentFault = (typeof lokiContentFaults)[number];

export interface FakeLokiOptions extends FakeServerOptions {
  /** `max_entries_limit_per_query`. */
  readonly mostEntries?: number;
  /** `max_query_series`. */
  readonly mostSeries?: number;
  /** Queries of so many bytes and more are refused. */
  readonly queryBytes?: number;
  /** `max_query_length`. */
  readonly queryLengthNanos?: bigint;
  /** `max_query_lookback`: nothing before is returned, and nothing said. */
  readonly lookbackFrom?: bigint;
  readonly content?: LokiContentFault | null;
  /** Refuses requests without tenant, as a server with several does. */
  readonly tenant?: string;
}

/** A Loki that keeps what is pushed to it, and refuses and cuts as the real one does. */
export async function startFakeLoki(options: FakeLokiOptions = {}): Promise<FakeServer> {
  const store = createStore();
  return startFakeServer(request => {
    try {
      if (options.tenant !== undefined && request.headers['x-scope-orgid'] !== options.tenant) {
        return text(401, 'no org id');
      }
      return answer(request, store, options);
    } catch (error) {
      if (error instanceof LogqlError) return text(400, `parse error : ${error.message}`);
      throw error;
    }
  }, options);
}

function answer(request: FakeRequest, store: LokiStore, options: FakeLokiOptions): FakeAnswer {
  const { path, parameters } = request;
  if (path === '/ready') return text(200, 'ready');
  if (path === '/loki/api/v1/push') {
    push(JSON.parse(request.body), store, options.content ?? null);
    return { status: 204, type: 'text/plain', body: '' };
  }
  const query = parameters.get('query') ?? '';
  const limit = options.queryBytes ?? 5120;
  if (Buffer.byteLength(query) >= limit) {
    throw new LogqlError(`input size too long (${Buffer.byteLength(query)} > ${limit})`);
  }
  const refused = rangeRefusal(parameters, options);
  if (refused !== null) return refused;
  if (path === '/loki/api/v1/query_range') return range(parameters, store, options);
  if (path === '/loki/api/v1/query') return instant(parameters, store, options);
  const streams = () => inSpan(parameters, store, options);
  if (path === '/loki/api/v1/labels')
    return names(
      streams().flatMap(({ labels }) => Object.keys(labels)),
      options,
    );
  const label = /^\/loki\/api\/v1\/label\/(\w+)\/values$/.exec(path)?.[1];
  if (label === undefined) return text(404, 'page not found');
  return names(
    streams().flatMap(({ labels }) => labels[label] ?? []),
    options,
  );
}

/** What was pushed. Lines that match a query are remembered until the next push, since pages repeat it. */
interface LokiStore {
  streams(): readonly Stream[];
  matching(query: string): readonly { readonly stream: Stream; readonly entry: Entry }[];
  add(labels: Labels, entries: readonly Entry[]): void;
}

function createStore(): LokiStore {
  const streams = new Map<string, Stream>();
  const matches = new Map<string, readonly { readonly stream: Stream; readonly entry: Entry }[]>();
  return {
    streams: () => [...streams.values()],
    matching(query) {
      const known = matches.get(query);
      if (known !== undefined) return known;
      const { select, keep } = parseLogQuery(query);
      const found = [...streams.values()]
        .filter(({ labels }) => select(labels))
        .flatMap(stream => stream.entries.map(entry => ({ stream, entry })))
        .filter(({ entry }) => keep(entry.line, entry.metadata))
        .sort((a, b) => compare(a.entry.nanos, b.entry.nanos));
      matches.set(query, found);
      return found;
    },
    add(labels, entries) {
      const key = JSON.stringify(Object.entries(labels).sort());
      const stream = streams.get(key) ?? { labels, entries: [] };
      streams.set(key, stream);
      stream.entries.push(...entries);
      stream.entries.sort((a, b) => compare(a.nanos, b.nanos));
      matches.clear();
    },
  };
}

function push(body: unknown, store: LokiStore, fault: LokiContentFault | null): void {
  const { streams } = body as {
    streams: { stream: Record<string, string>; values: [string, string, Record<string, string>?][] }[];
  };
  const shift = fault === 'clock five minutes off' ? 300_000_000_000n : 0n;
  for (const { stream, values } of streams) {
    const { host: _host, ...others } = stream;
    store.add(
      fault === 'labels without the node' ? others : stream,
      values.map(([stamp, line, metadata = {}]) => ({ nanos: BigInt(stamp) + shift, line, metadata })),
    );
  }
}

function rangeRefusal(parameters: URLSearchParams, { queryLengthNanos }: FakeLokiOptions): FakeAnswer | null {
  const [start, end] = [parameters.get('start'), parameters.get('end')];
  if (queryLengthNanos === undefined || start === null || end === null) return null;
  const asked = BigInt(end) - BigInt(start);
  if (asked <= queryLengthNanos) return null;
  const seconds = (nanos: bigint): string => `${nanos / 1_000_000_000n}s`;
  return text(
    400,
    `the query time range exceeds the limit (query length: ${seconds(asked)}, limit: ${seconds(queryLengthNanos)})`,
  );
}

function inSpan(parameters: URLSearchParams, store: LokiStore, options: FakeLokiOptions): readonly Stream[] {
  const from = later(BigInt(parameters.get('start') ?? '0'), options.lookbackFrom);
  const to = BigInt(parameters.get('end') ?? '0');
  const written = parameters.get('query');
  const select = written === null ? () => true : parseLogQuery(written).select;
  return [...store.streams()].filter(
    ({ labels, entries }) => select(labels) && entries.some(({ nanos }) => nanos >= from && nanos < to),
  );
}

function range(parameters: URLSearchParams, store: LokiStore, options: FakeLokiOptions): FakeAnswer {
  const limit = Number(parameters.get('limit') ?? '100');
  const most = options.mostEntries ?? 5000;
  if (limit > most) {
    return text(
      400,
      `max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${most})`,
    );
  }
  const from = later(BigInt(parameters.get('start') ?? '0'), options.lookbackFrom);
  const to = BigInt(parameters.get('end') ?? '0');
  const forward = parameters.get('direction') === 'forward';
  const found = store
    .matching(parameters.get('query') ?? '')
    .filter(({ entry }) => entry.nanos >= from && entry.nanos < to);
  if (!forward) found.reverse();
  const page = options.content === 'empty' ? [] : found.slice(0, limit);
  const streams = new Map<Stream, (readonly unknown[])[]>();
  for (const { stream, entry } of page) {
    const values = streams.get(stream) ?? [];
    streams.set(stream, values);
    values.push(entryValue(entry, options.content ?? null));
  }
  const result = [...streams].map(([{ labels }, values]) => ({
    stream: labels,
    values: options.content === 'out-of-order page' ? values.toReversed() : values,
  }));
  const twice = options.content === 'duplicate streams' ? [...result, ...result] : result;
  return json({ status: 'success', data: { resultType: 'streams', result: twice, stats: {} } });
}

function entryValue({ nanos, line, metadata }: Entry, fault: LokiContentFault | null): readonly unknown[] {
  const year = 31_536_000_000_000_000n;
  const stamp = fault === 'future stamps' ? String(nanos + year) : fault === 'NaN' ? 'NaN' : String(nanos);
  return Object.keys(metadata).length === 0 ? [stamp, line] : [stamp, line, { structuredMetadata: metadata }];
}

function instant(parameters: URLSearchParams, store: LokiStore, options: FakeLokiOptions): FakeAnswer {
  const { select, keep, by, rangeNanos } = parseCount(parameters.get('query') ?? '');
  const to = BigInt(parameters.get('time') ?? '0');
  const from = later(to - rangeNanos + 1n, options.lookbackFrom);
  const counts = new Map<string, number>();
  for (const { labels, entries } of store.streams()) {
    if (!select(labels)) continue;
    for (const { nanos, line, metadata } of entries) {
      if (nanos < from || nanos > to || !keep(line, metadata)) continue;
      const name = by === null ? '' : (labels[by] ?? metadata[by] ?? '');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const most = options.mostSeries ?? 500;
  if (counts.size > most) return text(400, `maximum of series (${most}) reached for a single query`);
  const shown = options.content === 'empty' ? [] : [...counts];
  const result = shown.map(([name, count]) => ({
    metric: by === null || name === '' ? {} : { [by]: name },
    value: [Number(to / 1_000_000n) / 1000, options.content === 'NaN' ? 'NaN' : String(count)],
  }));
  return json({ status: 'success', data: { resultType: 'vector', result, stats: {} } });
}

function names(all: readonly string[], { content }: FakeLokiOptions): FakeAnswer {
  return json({ status: 'success', data: content === 'empty' ? [] : [...new Set(all)].sort() });
}

function later(from: bigint, other: bigint | undefined): bigint {
  return other !== undefined && other > from ? other : from;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function json(value: unknown): FakeAnswer {
  return { status: 200, type: 'application/json; charset=UTF-8', body: JSON.stringify(value) };
}

function text(status: number, body: string): FakeAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}
