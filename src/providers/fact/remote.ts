import {
  failureHeader,
  instanceHeader,
  type ObservedStream,
  type RemoteAnswer,
  readAttribution,
  readAttributorCreated,
  renderObservation,
} from '../../contract/dialect/index.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Window } from '../../core/time.ts';
import type { Tracer } from '../../core/tracing.ts';
import { failure, type HttpFailure } from '../../evidence/http-client/failure.ts';
import { type Answer, createHttpClient, type HttpRequest } from '../../evidence/http-client/http-client.ts';
import type { HttpSettings } from '../../evidence/http-client/settings.ts';

export type Told<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: HttpFailure };

/** The remote service, call by call. Nothing rejects. */
export interface RemoteFact {
  /** Whether anything answers HTTP there, whatever it says. */
  reach(signal: AbortSignal): Promise<HttpFailure | null>;
  create(body: object, failureDetails: string, signal: AbortSignal): Promise<Told<string>>;
  observe(
    attributor: string,
    window: Window,
    streams: readonly ObservedStream[],
    signal: AbortSignal,
  ): Promise<HttpFailure | null>;
  read(attributor: string, signal: AbortSignal): Promise<Told<RemoteAnswer>>;
  close(): Promise<void>;
}

export interface RemoteTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
  /** Sent along, so that an instance that is asked by itself can tell. */
  readonly instanceId: string;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}

/** Creating twice makes two attributors, so it is sent once. */
const once = { retries: 0, baseMs: 0, patienceMs: 0 };
/** An observation is counted once however often it is sent; the signal ends this. */
const often = { retries: 8, baseMs: 250, patienceMs: 5_000 };
/** One node's refused observation says nothing about the next. */
const noBreaker = { failures: 2 ** 31 - 1, pauseMs: 1 };

export function remoteFact(settings: HttpSettings, tools: RemoteTools): RemoteFact {
  const name = 'fact';
  const onceClient = createHttpClient(name, { ...settings, retry: once, breaker: noBreaker }, tools);
  const client = createHttpClient(name, { ...settings, retry: often, breaker: noBreaker }, tools);
  const own = { [instanceHeader]: tools.instanceId };
  const json = { expected: 'json', headers: own } as const;
  return {
    async reach(signal) {
      const request: HttpRequest = { method: 'GET', path: '/', expected: 'text', headers: own };
      const answer = await onceClient.send(request, signal);
      return answer.ok || isAnswered(answer.failure) ? null : answer.failure;
    },
    async create(body, failureDetails, signal) {
      const headers = { ...own, [failureHeader]: failureDetails };
      const request: HttpRequest = {
        ...json,
        headers,
        method: 'POST',
        path: '/attributor',
        body: { json: body },
      };
      return map(await onceClient.send(request, signal), value => {
        const id = readAttributorCreated(value);
        return id === null || id === '' ? null : id;
      });
    },
    async observe(attributor, window, streams, signal) {
      const path = `${pathOf(attributor)}/observation`;
      const body = { json: renderObservation(window, streams) };
      const answer = await client.send({ ...json, method: 'POST', path, body }, signal);
      return answer.ok ? null : answer.failure;
    },
    async read(attributor, signal) {
      const path = `${pathOf(attributor)}/attribution`;
      return map(await client.send({ ...json, method: 'GET', path }, signal), readAttribution);
    },
    async close() {
      await Promise.all([onceClient.close(), client.close()]);
    },
  };
}

function pathOf(attributor: string): string {
  return `/attributor/${encodeURIComponent(attributor)}`;
}

function map<T>(answer: Answer, read: (value: unknown) => T | null): Told<T> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  if (value !== null) return { ok: true, value };
  return { ok: false, failure: failure('not_json', 'sent an answer that is none of the dialect') };
}

/** Kinds of failure that an HTTP answer of some sort came before. */
function isAnswered({ kind }: HttpFailure): boolean {
  return ['status', 'redirect', 'too_large', 'bad_encoding', 'wrong_content_type', 'not_json'].includes(kind);
}
