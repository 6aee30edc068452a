import { type Dispatcher, request as send } from 'undici';
import type { Clock } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracing.ts';
import { acceptedEncodings, readBody } from './body.ts';
import type { Connections } from './connections.ts';
import { checkContent, type Expected, parseContent } from './content.ts';
import { connectionFailure, failure, type HttpFailure, statusFailure } from './failure.ts';
import type { RevealedHeaders } from './request-headers.ts';
import { retryAfterMs } from './retry.ts';
import type { HttpSettings } from './settings.ts';

/** A request below the configured address. It must be harmless to send it twice. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with a slash; parts that come from outside are encoded by the caller. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly form: Readonly<Record<string, string>> } | { readonly json: unknown };
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: Expected;
  /** Statuses besides success that bring an answer, from servers that call it an error to know nothing of what is asked. */
  readonly answerStatuses?: readonly number[];
}

export type Answer =
  | {
      readonly ok: true;
      readonly status: number;
      /** JSON decoded, or a list of values where lines of JSON were expected, or the text. */
      readonly value: unknown;
      /** As sent over the wire. */
      readonly bytes: number;
    }
  | { readonly ok: false; readonly failure: HttpFailure };

export interface AttemptParts {
  /** Name of the source that asks. */
  readonly source: string;
  readonly settings: HttpSettings;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly headers: () => Promise<RevealedHeaders>;
  readonly tracer?: Tracer;
}

const mostRedirects = 3;
/** Enough to tell from an error what is to be done. */
const errorBodyBytes = 64 * 1024;

/**
 * Sends a request once, following redirects that stay on the host, within the time for one attempt. `tracing`: headers
 * that let the server go on with the trace.
 */
export async function attempt(
  request: HttpRequest,
  parts: AttemptParts,
  tracing: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const { settings, clock } = parts;
  const cut = new AbortController();
  const abort = (): void => cut.abort();
  let late = false;
  const cancel = clock.after(settings.timeoutMs, () => {
    late = true;
    cut.abort();
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) cut.abort();
  try {
    return await exchange(request, parts, tracing, cut.signal);
  } catch (error) {
    if (signal.aborted) return refuse(failure('aborted', 'was not waited for beyond the deadline'));
    if (late)
      return refuse(
        failure(
          'timed_out',
          `did not answer within ${settings.timeoutMs} ms (timeoutMs): look at its load, or raise timeoutMs`,
        ),
      );
    return refuse(connectionFailure(error));
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
  }
}

function refuse(failed: HttpFailure): Answer {
  return { ok: false, failure: failed };
}

async function exchange(
  request: HttpRequest,
  parts: AttemptParts,
  tracing: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const { settings, connections } = parts;
  const revealed = await parts.headers();
  if (!revealed.ok) return revealed;
  const opened = await connections.open();
  if (!opened.ok) return opened;
  const { body, type } = bodyOf(request);
  const headers = {
    ...tracing,
    ...revealed.headers,
    accept: request.expected === 'text' ? '*/*' : 'application/json',
    'accept-encoding': acceptedEncodings,
    ...(type === null ? {} : { 'content-type': type }),
    ...request.headers,
  };
  let url = urlOf(request, settings);
  for (let followed = 0; ; followed += 1) {
    const answer = await send(url, {
      dispatcher: opened.dispatcher,
      method: request.method,
      headers,
      body,
      signal,
    });
    const next = redirectOf(answer, url);
    if (next === null) return await readAnswer(answer, request, parts);
    await answer.body.dump({ limit: errorBodyBytes });
    if (next === 'elsewhere') {
      return refuse(failure('redirect', 'redirects to another host, which is not followed: check the url'));
    }
    if (followed === mostRedirects) {
      return refuse(failure('redirect', `redirects more than ${mostRedirects} times: check the url`));
    }
    url = next;
  }
}

function urlOf({ path, query }: HttpRequest, { url }: HttpSettings): URL {
  const search = query === undefined ? '' : `?${new URLSearchParams({ ...query })}`;
  return new URL(`${url}${path}${search}`);
}

function bodyOf({ body }: HttpRequest): { readonly body: string | null; readonly type: string | null } {
  if (body === undefined) return { body: null, type: null };
  if ('json' in body) return { body: JSON.stringify(body.json), type: 'application/json' };
  const form = new URLSearchParams({ ...body.form });
  return { body: form.toString(), type: 'application/x-www-form-urlencoded' };
}

/** Where to ask instead, null where this is the answer. Only a place on the same host, and the same method, counts. */
function redirectOf({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | 'elsewhere' | null {
  const location = headerOf(headers['location']);
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === null) return null;
  if (!URL.canParse(location, from.href)) return 'elsewhere';
  const to = new URL(location, from);
  return to.origin === from.origin && to.username === '' ? to : 'elsewhere';
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { expected, answerStatuses = [] }: HttpRequest,
  { settings, clock }: AttemptParts,
): Promise<Answer> {
  const success = statusCode >= 200 && statusCode < 300;
  const unexpected = checkContent(headerOf(headers['content-type']), expected);
  const fine = success || (unexpected === null && answerStatuses.includes(statusCode));
  const wrong = fine ? unexpected : null;
  if (wrong !== null) {
    body.on('error', () => {}).destroy();
    return refuse(wrong);
  }
  const limits = fine ? settings : { answerBytes: errorBodyBytes, expandedBytes: errorBodyBytes };
  const read = await readBody(body, headerOf(headers['content-encoding']) ?? '', limits);
  if (!fine) {
    const wait = retryAfterMs(headerOf(headers['retry-after']), clock);
    return refuse(statusFailure(statusCode, read.ok ? read.content.toString('utf8') : '', wait));
  }
  if (!read.ok) return read;
  const parsed = parseContent(read.content, expected);
  return parsed.ok ? { ok: true, status: statusCode, value: parsed.value, bytes: read.bytes } : parsed;
}

function headerOf(value: string | string[] | undefined): string | null {
  return [value ?? []].flat()[0] ?? null;
}
