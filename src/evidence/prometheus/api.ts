import type { Nanos, Window } from '../../core/time.ts';
import type { HttpClient, HttpRequest } from '../http-client/http-client.ts';
import type { Told } from '../log-store/log-store.ts';
import {
  type Answered,
  type InstantRow,
  readMatrix,
  readNames,
  readVector,
  type SeriesRow,
  troubleOf,
} from './answers.ts';

/** Requests to one server. Nothing here throws for what goes wrong outside. */
export interface PrometheusApi {
  /** An expression at one instant. */
  instant(query: string, at: Nanos, signal: AbortSignal): Promise<Told<Answered<readonly InstantRow[]>>>;
  /** The samples as they were stored: a selector with a range, at the end of that range. */
  samples(query: string, at: Nanos, signal: AbortSignal): Promise<Told<Answered<readonly SeriesRow[]>>>;
  /** Values that a label has among the series of a selector. */
  values(
    label: string,
    selector: string,
    span: Window,
    signal: AbortSignal,
  ): Promise<Told<Answered<readonly string[]>>>;
  /** Bytes of all answers so far. */
  bytes(): number;
}

export function createPrometheusApi(client: HttpClient): PrometheusApi {
  let bytes = 0;
  const ask = async <T>(
    request: HttpRequest,
    read: (answer: unknown) => Told<T>,
    signal: AbortSignal,
  ): Promise<Told<T>> => {
    const answer = await client.send(request, signal);
    if (!answer.ok) return troubleOf(answer.failure);
    bytes += answer.bytes;
    return read(answer.value);
  };
  return {
    instant: (query, at, signal) => ask(instantRequest(query, at), readVector, signal),
    samples: (query, at, signal) => ask(instantRequest(query, at), readMatrix, signal),
    values: (label, selector, { from, to }, signal) =>
      ask(
        {
          method: 'GET',
          path: `/api/v1/label/${encodeURIComponent(label)}/values`,
          query: { 'match[]': selector, start: secondsOf(from), end: secondsOf(to) },
          expected: 'json',
        },
        readNames,
        signal,
      ),
    bytes: () => bytes,
  };
}

/** As a form: names of nodes make queries longer than addresses may be. */
function instantRequest(query: string, at: Nanos): HttpRequest {
  return {
    method: 'POST',
    path: '/api/v1/query',
    body: { form: { query, time: secondsOf(at) } },
    expected: 'json',
  };
}

/** Seconds with the milliseconds that a server keeps. */
export function secondsOf(nanos: Nanos): string {
  const millis = nanos / 1_000_000n;
  return `${millis / 1000n}.${String(millis % 1000n).padStart(3, '0')}`;
}
