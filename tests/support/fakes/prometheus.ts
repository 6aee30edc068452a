import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';
import { PromqlError, parsePromql, type StoredSeries } from './promql.ts';

/** What a server may return that is well-formed and wrong. */
export const prometheusContentFaults = [
  'NaN',
  'clock five minutes off',
  'future stamps',
  'labels without the node',
  'duplicate series',
  'out-of-order page',
  'empty',
  'partial',
  'error with status 200',
] as const;
export type PrometheusContentFault = (typeof prometheusContentFaults)[number];

export interface FakePrometheusOptions extends FakeServerOptions {
  readonly series: readonly StoredSeries[];
  readonly content?: PrometheusContentFault | null;
  /** Queries whose ranges hold more samples are refused. */
  readonly mostSamples?: number;
  /** Labels that are no series' node: what the fault `labels without the node` takes away. */
  readonly nodeLabels?: readonly string[];
}

/** A Prometheus that answers the queries of the source over given series. */
export async function startFakePrometheus(options: FakePrometheusOptions): Promise<FakeServer> {
  const stored = spoiled(options);
  return startFakeServer(request => {
    try {
      return answer(request, stored, options);
    } catch (error) {
      if (error instanceof PromqlError) return refusal(400, 'bad_data', `parse error: ${error.message}`);
      throw error;
    }
  }, options);
}

function answer(
  { method, path, parameters }: FakeRequest,
  stored: readonly StoredSeries[],
  options: FakePrometheusOptions,
): FakeAnswer {
  const content = options.content ?? null;
  if (content === 'error with status 200') {
    return json(200, { status: 'error', errorType: 'internal', error: 'no such store' });
  }
  const label = /^\/api\/v1\/label\/(\w+)\/values$/.exec(path)?.[1];
  if (label !== undefined) return success(valuesOf(label, parameters, stored), content);
  if (path !== '/api/v1/query' || method !== 'POST')
    return { status: 404, type: 'text/plain', body: 'not found' };
  const at = Math.round(Number(parameters.get('time')) * 1000);
  const text = parameters.get('query') ?? '';
  const query = parsePromql(text, () => stored);
  if (query.kind === 'matrix') {
    const rows = query.at(at);
    const samples = rows.reduce((sum, row) => sum + row.samples.length, 0);
    if (samples > (options.mostSamples ?? Number.POSITIVE_INFINITY)) return tooMany();
    const result = rows.map(row => ({
      metric: row.labels,
      values: pageOrder(row.samples, content).map(([millis, value]) => [millis / 1000, written(value)]),
    }));
    return success(
      { resultType: 'matrix', result: content === 'duplicate series' ? [...result, ...result] : result },
      content,
    );
  }
  if (loadedBy(text, at, stored) > (options.mostSamples ?? Number.POSITIVE_INFINITY)) return tooMany();
  const result = query
    .at(at)
    .map(({ labels, value }) => ({ metric: labels, value: [at / 1000, written(value)] }));
  return success({ resultType: 'vector', result }, content);
}

/** Samples that the one range selector of a query makes the server load. */
function loadedBy(text: string, at: number, stored: readonly StoredSeries[]): number {
  const selector = /[A-Za-z_:][A-Za-z0-9_:]*\{[^}]*\}\[\d+m?s\]/.exec(text)?.[0];
  if (selector === undefined) return 0;
  const range = parsePromql(selector, () => stored);
  return range.kind === 'matrix' ? range.at(at).reduce((sum, row) => sum + row.samples.length, 0) : 0;
}

function tooMany(): FakeAnswer {
  return refusal(
    422,
    'execution',
    'query processing would load too many samples into memory in query execution',
  );
}

function valuesOf(
  label: string,
  parameters: URLSearchParams,
  stored: readonly StoredSeries[],
): readonly string[] {
  const [from, to] = ['start', 'end'].map(name => Number(parameters.get(name)) * 1000);
  const inSpan = stored.filter(({ samples }) =>
    samples.some(([millis, value]) => value !== null && millis >= (from ?? 0) && millis <= (to ?? 0)),
  );
  const present = inSpan.map(series => ({ ...series, samples: [[0, 0] as const] }));
  const query = parsePromql(parameters.get('match[]') ?? '', () => present);
  if (query.kind !== 'vector') throw new PromqlError('match[] must be a selector');
  return [...new Set(query.at(0).flatMap(row => row.labels[label] ?? []))].sort();
}

function spoiled({ series, content, nodeLabels = ['Hostname', 'instance'] }: FakePrometheusOptions) {
  if (content === 'empty') return [];
  return series.map(({ labels, samples }) => ({
    labels:
      content === 'labels without the node'
        ? Object.fromEntries(Object.entries(labels).filter(([name]) => !nodeLabels.includes(name)))
        : labels,
    samples: samples.map(([millis, value]): readonly [number, number | null] => {
      if (content === 'clock five minutes off') return [millis + 300_000, value];
      if (content === 'future stamps') return [millis + 86_400_000, value];
      if (content === 'NaN') return [millis, value === null ? null : Number.NaN];
      return [millis, value];
    }),
  }));
}

function pageOrder<T>(samples: readonly T[], content: PrometheusContentFault | null): readonly T[] {
  return content === 'out-of-order page' ? samples.toReversed() : samples;
}

function written(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function success(data: unknown, content: PrometheusContentFault | null): FakeAnswer {
  const warnings = content === 'partial' ? { warnings: ['no store matched for 10.0.0.9:10901'] } : {};
  return json(200, { status: 'success', data, ...warnings });
}

function refusal(status: number, errorType: string, error: string): FakeAnswer {
  return json(status, { status: 'error', errorType, error });
}

function json(status: number, body: unknown): FakeAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
