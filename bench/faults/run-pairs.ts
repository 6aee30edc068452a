import type { SessionStore } from '../../src/core/ports.ts';
import { type Answered, askUntilAnswered, wrongness } from './ask.ts';
import { type FailedJob, requestOf } from './jobs.ts';

export interface PairsOptions {
  readonly jobs: readonly FailedJob[];
  readonly atOnce: number;
  /** Where to ask now. */
  port(): number;
  /** Which replica the connection from this port came to. */
  replicaOf(localPort: number): number | undefined;
  /** Called once, when half of the pairs are begun. */
  halfway(): Promise<void>;
}

/** A fast answer and two slow ones that were asked at once. */
export interface Pair {
  readonly job: FailedJob;
  readonly fast: Answered;
  readonly slow: readonly Answered[];
}

export interface PairsResult {
  readonly pairs: readonly Pair[];
  /** Pairs of which a slow call was answered by another replica than the fast one. */
  readonly crossed: number;
  /** Calls that were made again, since the connection broke. */
  readonly repeated: number;
  /** Each in words: answers with another's data, sessions that did not continue, answers without a session. */
  readonly wrong: readonly string[];
}

/** Asks fast, and then slow twice at once, about each job. */
export async function runPairs(options: PairsOptions): Promise<PairsResult> {
  const { jobs, atOnce, halfway } = options;
  const pairs: Pair[] = [];
  const wrong: string[] = [];
  let [next, crossed, repeated] = [0, 0, 0];
  let half: Promise<void> | null = null;

  async function ask(
    job: FailedJob,
    phase: 'fast' | 'slow',
    session: string | null,
    timeoutMs?: number,
  ): Promise<Answered> {
    const request = requestOf(job, phase, session, timeoutMs);
    const { answered, tries } = await askUntilAnswered(options.port, request);
    repeated += tries - 1;
    const fault = wrongness(job, answered);
    if (fault !== null) wrong.push(`${phase} ${fault}`);
    if (answered.sessionId === null) wrong.push(`${phase} ${job.workloadId}: without a session`);
    return answered;
  }

  async function work(): Promise<void> {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
      if (next > jobs.length / 2) half ??= halfway();
      const fast = await ask(job, 'fast', null);
      // A replica answers the very same request once; these two differ, and both are kept.
      const twice = [20_000, 20_001].map(timeoutMs => ask(job, 'slow', fast.sessionId, timeoutMs));
      const slow = await Promise.all(twice);
      for (const { sessionId } of slow) {
        if (sessionId !== fast.sessionId) wrong.push(`slow ${job.workloadId}: its session did not continue`);
      }
      const replica = options.replicaOf(fast.localPort);
      if (slow.some(({ localPort }) => options.replicaOf(localPort) !== replica)) crossed += 1;
      pairs.push({ job, fast, slow });
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  await half;
  return { pairs, crossed, repeated, wrong };
}

/** Acknowledged answers that their session does not hold, in words. */
export async function lostAnswers(store: SessionStore, pairs: readonly Pair[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { job, fast, slow } of pairs) {
    const binding = {
      workloadId: job.workloadId,
      workflowId: `workflow-${job.workloadId}`,
      attemptIndex: 0,
      caller: null,
    };
    const session = await store.get(fast.sessionId ?? '', binding);
    const kept = new Set(session?.answers.map(({ requestId }) => requestId));
    const missing = [fast, ...slow].filter(({ requestId }) => !kept.has(requestId));
    if (missing.length > 0) lost.push(`${job.workloadId}: ${missing.length} answers of its session`);
  }
  return lost;
}
