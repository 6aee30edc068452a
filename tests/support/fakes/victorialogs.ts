import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';
import { LogsqlError, parseLogsql, type Row } from './logsql.ts';

interface Stored {
  readonly row: Row;
  readonly nanos: bigint;
  /** Place among rows of the same stamp. */
  readonly scrambled: number;
}

/** What a store may return that is well-formed and wrong. */
export const victoriaLogsContentFaults = [
  'NaN',
  'clock five minutes off',
  'future stamps',
  'labels without the node',
  'duplicate streams',
  'out-of-order page',
  'empty',
] as const;
export type VictoriaLogsContentFault = (typeof victoriaLogsContentFaults)[number];

export interface FakeVictoriaLogsOptions extends FakeServerOptions {
  /** `-search.maxQueryLen`. */
  readonly queryBytes?: number;
  /** `-search.maxQueryTimeRange`, told as the real server tells it. */
  readonly refuse?: (query: string) => string | null;
  readonly content?: VictoriaLogsContentFault | null;
}

/** A VictoriaLogs that keeps what is inserted, and answers the queries that this product sends. */
export async function startFakeVictoriaLogs(options: FakeVictoriaLogsOptions = {}): Promise<FakeServer> {
  const rows: Stored[] = [];
  return startFakeServer(request => {
    try {
      return answer(request, rows, options);
    } catch (error) {
      if (error instanceof LogsqlError) return text(400, `cannot parse \`query\` arg: ${error.message}`);
      throw error;
    }
  }, options);
}

function answer(
  { path, parameters, body }: FakeRequest,
  rows: Stored[],
  options: FakeVictoriaLogsOptions,
): FakeAnswer {
  if (path === '/insert/jsonline') {
    insert(body, parameters.get('_stream_fields') ?? '', rows, options.content ?? null);
    return text(200, '');
  }
  if (path === '/internal/force_flush') return text(200, '');
  const query = parameters.get('query') ?? '';
  const most = options.queryBytes ?? 16 * 1024;
  if (Buffer.byteLength(query) > most) {
    return text(400, `the \`query\` arg length cannot exceed -search.maxQueryLen=${most} bytes`);
  }
  const refused = options.refuse?.(query) ?? null;
  if (refused !== null) return text(400, refused);
  return select(path, query, parameters.get('field') ?? '', rows, options.content ?? null);
}

function select(
  path: string,
  query: string,
  field: string,
  rows: readonly Stored[],
  fault: VictoriaLogsContentFault | null,
): FakeAnswer {
  const { keep, sort, limit, fields, count } = parseLogsql(query);
  const found = fault === 'empty' ? [] : rows.filter(({ row, nanos }) => keep(row, nanos));
  if (path === '/select/logsql/field_names') return values(found.flatMap(({ row }) => Object.keys(row)));
  if (path === '/select/logsql/field_values') return values(found.map(({ row }) => row[field] ?? ''));
  if (path === '/select/logsql/stats_query') {
    return count === null ? text(400, 'missing stats pipe') : countBy(found, count, fault === 'NaN');
  }
  if (path !== '/select/logsql/query') return text(404, 'unsupported path requested');
  // Without a sort the order is arbitrary; here it is never the one of time. With one it is so within a stamp.
  const ordered = sort
    ? found.toSorted((a, b) => compare(a.nanos, b.nanos) || a.scrambled - b.scrambled)
    : found.toReversed();
  const page = ordered.slice(0, limit ?? undefined).map(({ row, nanos }) => shown(row, nanos, fields, fault));
  if (fault === 'duplicate streams') return lines([...page, ...page]);
  return lines(fault === 'out-of-order page' ? page.toReversed() : page);
}

function insert(
  body: string,
  streamFields: string,
  rows: Stored[],
  fault: VictoriaLogsContentFault | null,
): void {
  const names = streamFields.split(',');
  const shift = fault === 'clock five minutes off' ? 300_000_000_000n : 0n;
  for (const line of body.split('\n')) {
    if (line === '') continue;
    const { _time: stamp = '0', host, ...others } = JSON.parse(line) as Record<string, string>;
    const row = fault === 'labels without the node' || host === undefined ? others : { ...others, host };
    const stream = names
      .filter(name => (row[name] ?? '') !== '')
      .sort()
      .map(name => `${name}=${JSON.stringify(row[name])}`);
    const scrambled = scramble(rows.length);
    rows.push({ row: { ...row, _stream: `{${stream.join(',')}}` }, nanos: BigInt(stamp) + shift, scrambled });
  }
}

/** The same for each run, and like no order that rows came in. */
function scramble(index: number): number {
  const mixed = Math.imul(index ^ (index >>> 16), 0x45d9f3b);
  return Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0;
}

function shown(
  row: Row,
  nanos: bigint,
  fields: readonly string[] | null,
  fault: VictoriaLogsContentFault | null,
): Row {
  const year = 31_536_000_000_000_000n;
  const stamp = fault === 'future stamps' ? nanos + year : nanos;
  const all: Row = { ...row, _time: fault === 'NaN' ? 'NaN' : formatStamp(stamp) };
  if (fields === null) return all;
  return Object.fromEntries(
    fields.filter(name => (all[name] ?? '') !== '').map(name => [name, all[name] ?? '']),
  );
}

function countBy(
  found: readonly Stored[],
  { by, column }: { readonly by: string | null; readonly column: string },
  broken: boolean,
): FakeAnswer {
  const counts = new Map<string, number>();
  for (const { row } of found) {
    const name = by === null ? '' : (row[by] ?? '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (by === null && counts.size === 0) counts.set('', 0);
  const result = [...counts].map(([name, count]) => ({
    metric: { __name__: column, ...(by === null ? {} : { [by]: name }) },
    value: [1_796_126_400, broken ? 'NaN' : String(count)],
  }));
  return json({ status: 'success', data: { resultType: 'vector', result } });
}

/** Trailing zeros of the fraction are not written. */
function formatStamp(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

function values(all: readonly string[]): FakeAnswer {
  const hits = new Map<string, number>();
  for (const value of all) hits.set(value, (hits.get(value) ?? 0) + 1);
  const list = [...hits].map(([value, count]) => ({ value, hits: count }));
  return json({ values: list });
}

function json(value: unknown): FakeAnswer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function lines(rows: readonly Row[]): FakeAnswer {
  const body = rows.map(row => `${JSON.stringify(row)}\n`).join('');
  return { status: 200, type: 'application/stream+json', body };
}

function text(status: number, body: string): FakeAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
