import { Agent, request } from 'node:http';
import { type Answered, answeredOf, wrongness } from '../faults/ask.ts';
import type { FailedJob } from '../faults/jobs.ts';
import { questionAbout } from './incidents.ts';

/** What came of one call. `overload`: refused as documented, with 503 and a time to come back. */
export type Came =
  | { readonly kind: 'answered'; readonly milliseconds: number; readonly wrong: string | null }
  | { readonly kind: 'overload' }
  | { readonly kind: 'failed'; readonly says: string };

/** A caller with a connection of its own: asks fast about a job, then slow in the session of that answer, and again. */
export interface Caller {
  call(): Promise<Came>;
  close(): void;
}

/** What all callers together have seen. */
export interface Seen {
  readonly requests: Set<string>;
  /** Whose a session is. */
  readonly sessions: Map<string, Caller>;
  asked: number;
}

const slowACase = 2;

export function createCaller(url: URL, pick: () => FailedJob, seen: Seen): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let incident = pick();
  let session: string | null = null;
  let slowLeft = 0;

  function nextQuestion(): { readonly phase: 'fast' | 'slow'; readonly asked: FailedJob } {
    if (session !== null && slowLeft > 0) {
      slowLeft -= 1;
      return { phase: 'slow', asked: incident };
    }
    incident = pick();
    session = null;
    slowLeft = slowACase;
    return { phase: 'fast', asked: incident };
  }

  function faultOf(asked: FailedJob, of: string | null, answer: Answered): string | null {
    if (seen.requests.has(answer.requestId)) return `${answer.requestId}: a request id that was given before`;
    seen.requests.add(answer.requestId);
    const id = answer.sessionId;
    if (id === null) return `${asked.workloadId}: an answer without a session`;
    if (of !== null && of !== id) return `${asked.workloadId}: its session did not continue`;
    const owner = seen.sessions.get(id);
    if (owner !== undefined && owner !== caller) return `${asked.workloadId}: a session of another caller`;
    seen.sessions.set(id, caller);
    return wrongness(asked, answer);
  }

  const caller: Caller = {
    async call() {
      const { phase, asked } = nextQuestion();
      const of = session;
      seen.asked += 1;
      const began = performance.now();
      const got = await post(url, agent, questionAbout(asked, phase, of, seen.asked));
      const milliseconds = performance.now() - began;
      if (got.status === 503 && /^[1-9][0-9]*$/.test(got.retryAfter)) return { kind: 'overload' };
      if (got.status !== 200)
        return { kind: 'failed', says: got.status === 0 ? got.body : `HTTP ${got.status}` };
      const answer = answeredOf(got.body, 0);
      session = answer.sessionId;
      return { kind: 'answered', milliseconds, wrong: faultOf(asked, of, answer) };
    },
    close: () => agent.destroy(),
  };
  return caller;
}

interface Got {
  /** 0 where there was no answer: `body` says why. */
  readonly status: number;
  readonly retryAfter: string;
  readonly body: string;
}

function post(url: URL, agent: Agent, body: object): Promise<Got> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise(resolve => {
    const failed = (error: Error): void => resolve({ status: 0, retryAfter: '', body: error.message });
    const asking = request(url, { method: 'POST', agent, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? '',
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    asking.on('error', failed);
    asking.end(text);
  });
}
