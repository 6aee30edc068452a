import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedJob } from './jobs.ts';

/** What a caller keeps of an answer. */
export interface Answered {
  readonly requestId: string;
  readonly sessionId: string | null;
  readonly named: readonly string[];
  /** Every node that findings and their evidence speak of. */
  readonly spokenOf: readonly string[];
  readonly error: string | null;
  /** The local port of the connection that it came by. */
  readonly localPort: number;
}

/** Asks by a connection of its own. Rejects where none is made, or where it breaks before the answer is whole. */
export function askOnce(port: number, body: object): Promise<Answered> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    let localPort = 0;
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path: '/v1/attribution',
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('the connection broke within the answer')));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode === 200) resolve(answeredOf(answer, localPort));
          else reject(new Error(`status ${response.statusCode}`));
        });
      },
    );
    asking.on('socket', socket => {
      socket.once('connect', () => {
        localPort = socket.localPort ?? 0;
      });
    });
    asking.on('error', reject);
    asking.end(text);
  });
}

/** As a caller does that must have an answer: again after a broken connection, until `triesFor` ends. */
export async function askUntilAnswered(
  portNow: () => number,
  body: object,
  triesForMs = 60_000,
): Promise<{ readonly answered: Answered; readonly tries: number }> {
  const end = performance.now() + triesForMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return { answered: await askOnce(portNow(), body), tries };
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}

interface WireFinding {
  readonly target: { readonly node?: string };
  readonly evidence: readonly { readonly node: string | null }[];
}

/** Reads the body of an answer. */
export function answeredOf(text: string, localPort: number): Answered {
  const body = JSON.parse(text) as {
    readonly request_id: string;
    readonly attribution_session_id: string | null;
    readonly attributions: readonly WireFinding[];
    readonly error: { readonly type: string } | null;
  };
  const named = body.attributions.map(({ target }) => target.node ?? 'all');
  const cited = body.attributions.flatMap(({ evidence }) => evidence.map(({ node }) => node));
  return {
    requestId: body.request_id,
    sessionId: body.attribution_session_id,
    named,
    spokenOf: [...named, ...cited.filter(node => node !== null)],
    error: body.error?.type ?? null,
    localPort,
  };
}

/** What is wrong with an answer about a job, in words; null where it names the right node and speaks of no other job's. */
export function wrongness(job: FailedJob, { named, spokenOf }: Answered): string | null {
  const foreign = spokenOf.filter(node => !job.nodes.includes(node));
  if (foreign.length > 0) return `${job.workloadId}: speaks of ${foreign.join()}, nodes of another job`;
  const wanted = job.guilty === null ? [] : [job.guilty];
  if (named.join() === wanted.join()) return null;
  return `${job.workloadId}: names ${named.join() || 'nobody'}, not ${job.guilty ?? 'nobody'}`;
}
