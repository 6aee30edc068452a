import type { Clock, Log } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracing.ts';
import type { Answer, AttemptParts, HttpRequest } from './attempt.ts';
import { createBreaker } from './breaker.ts';
import { createConnections } from './connections.ts';
import { failure, type HttpFailure } from './failure.ts';
import { requestHeaders } from './request-headers.ts';
import { pause, waitBeforeRetry } from './retry.ts';
import type { HttpSettings } from './settings.ts';
import { tracedAttempt } from './traced-attempt.ts';
import { createTurns } from './turns.ts';

export type { Answer, HttpRequest } from './attempt.ts';

export interface HttpTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
}

/**
 * The one way out to one configured server. Nothing a request holds selects a host. `send` never rejects: whatever
 * goes wrong outside is a failure, and once `signal` aborts it is `aborted` without further waiting.
 */
export interface HttpClient {
  send(request: HttpRequest, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export function createHttpClient(source: string, settings: HttpSettings, tools: HttpTools): HttpClient {
  const { clock, log, random, tracer } = tools;
  if (settings.tls.insecureSkipVerify) {
    log.warn({ source }, 'certificates of this source are not verified (tls.insecureSkipVerify)');
  }
  const connections = createConnections(settings);
  const turns = createTurns(settings.concurrency);
  const breaker = createBreaker(settings.breaker, clock, () =>
    log.warn(
      { source, pauseMs: settings.breaker.pauseMs },
      'this source keeps failing and is left alone for a while',
    ),
  );
  const parts: AttemptParts = {
    source,
    settings,
    clock,
    connections,
    headers: requestHeaders(settings),
    ...(tracer === undefined ? {} : { tracer }),
  };

  let lastFailure = 'was not asked';
  const once = async (request: HttpRequest, tried: number, signal: AbortSignal): Promise<Answer> => {
    const handOn = await turns.take(signal);
    if (handOn === null) return aborted();
    try {
      if (!breaker.admits()) {
        return {
          ok: false,
          failure: failure('breaker_open', `${lastFailure}; it failed too often and is left alone for now`),
        };
      }
      let verdict: boolean | null = null;
      try {
        const answer = await tracedAttempt(request, tried, parts, signal);
        verdict = answer.ok ? true : verdictOf(answer.failure);
        if (!answer.ok && verdict === false) lastFailure = answer.failure.message;
        return answer;
      } finally {
        breaker.record(verdict);
      }
    } finally {
      handOn();
    }
  };
  return {
    async send(request, signal) {
      for (let tried = 0; ; tried += 1) {
        const answer = await once(request, tried, signal);
        if (answer.ok || signal.aborted) return answer;
        const waitMs = waitBeforeRetry(answer.failure, tried, settings.retry, random);
        if (waitMs === null) return answer;
        if (!(await pause(waitMs, clock, signal))) return aborted();
      }
    },
    close: () => connections.close(),
  };
}

function aborted(): Answer {
  return { ok: false, failure: failure('aborted', 'was not waited for beyond the deadline') };
}

/** Whether the server is well; null where the failure is of our own making. */
function verdictOf({ kind, status }: HttpFailure): boolean | null {
  if (kind === 'aborted' || kind === 'credentials') return null;
  if (kind === 'status') return status === null || status < 500;
  return !['refused', 'unresolved', 'reset', 'timed_out', 'tls', 'proxy', 'protocol'].includes(kind);
}
