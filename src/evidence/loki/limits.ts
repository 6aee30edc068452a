import type { Answer, HttpClient, HttpRequest } from '../http-client/http-client.ts';
import { limitsIn } from './answers.ts';
import type { LokiSettings } from './settings.ts';

/** What a server takes and returns at the most, as far as settings and its refusals tell. */
export interface LokiLimits {
  readonly queryBytes: number;
  readonly entries: number;
  readonly series: number;
}

/** Requests to one server, whose refusals teach its limits. */
export interface LokiApi {
  limits(): LokiLimits;
  ask(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Longer addresses are refused by what often stands before a server. */
const mostAddressBytes = 7500;

export function createLokiApi(settings: LokiSettings, client: HttpClient): LokiApi {
  let limits: LokiLimits = {
    queryBytes: settings.queryBytes,
    entries: Number.POSITIVE_INFINITY,
    series: settings.querySeries,
  };
  return {
    limits: () => limits,
    async ask(path, query, signal) {
      const answer = await client.send(requestFor(path, query), signal);
      if (!answer.ok) {
        const learned = limitsIn(answer.failure);
        limits = {
          queryBytes: Math.min(limits.queryBytes, learned.queryBytes ?? limits.queryBytes),
          entries: Math.min(limits.entries, learned.entries ?? limits.entries),
          series: Math.min(limits.series, learned.series ?? limits.series),
        };
      }
      return answer;
    },
    close: () => client.close(),
  };
}

/** Metadata of entries comes apart from the labels of their stream, so that labels stay a selector. */
function requestFor(path: string, query: Readonly<Record<string, string>>): HttpRequest {
  const headers = { 'X-Loki-Response-Encoding-Flags': 'categorize-labels' };
  return new URLSearchParams({ ...query }).toString().length > mostAddressBytes
    ? { method: 'POST', path, body: { form: query }, headers, expected: 'json' }
    : { method: 'GET', path, query, headers, expected: 'json' };
}
