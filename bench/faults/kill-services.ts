import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../tests/support/postgres-cluster.ts';
import { type Answered, askOnce } from './ask.ts';
import { type FailedJob, requestOf } from './jobs.ts';
import { inFolder, lostOn, portOf, prepare } from './pairs-on-stores.ts';

export interface ServiceKillsResult {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** From the start of the process to its listening, the shortest first. */
  readonly startMs: readonly number[];
}

const asking = 4;
const longestAnsweringMs = 400;

/** Kills the whole service at random moments while it answers; on PostgreSQL where its programs are given, else on SQLite. */
export async function killServices(
  programs: string | null,
  kills: number,
  random: () => number,
): Promise<ServiceKillsResult> {
  const cluster = programs === null ? null : await startPostgres(programs, { isDurable: true });
  try {
    return await inFolder(async folder => {
      const state = join(folder, 'state');
      const postgres = cluster?.database() ?? null;
      const settings = postgres === null ? { state } : { sessions: { store: 'postgres' }, postgres };
      const { jobs, start } = prepare(folder, { pairs: 500, atOnce: asking }, settings);
      const startMs: number[] = [];
      const answers: { readonly job: FailedJob; readonly fast: Answered; readonly slow: [] }[] = [];
      let next = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const began = performance.now();
        const service = await start();
        startMs.push(performance.now() - began);
        const first = Promise.withResolvers<void>();
        const ask = async (): Promise<void> => {
          for (;;) {
            const job = jobs[next++ % jobs.length];
            if (job === undefined) return;
            const fast = await askOnce(portOf(service), requestOf(job, 'fast', null));
            if (fast.sessionId !== null) answers.push({ job, fast, slow: [] });
            first.resolve();
          }
        };
        // Each ends with the connection that the kill breaks.
        const asked = Promise.allSettled(Array.from({ length: asking }, ask));
        await first.promise;
        await sleep(random() * longestAnsweringMs);
        await service.kill();
        await asked;
      }
      const place = postgres === null ? { state } : { postgres };
      const lost = await lostOn(place, answers);
      return { acknowledged: answers.length, lost, startMs: startMs.toSorted((a, b) => a - b) };
    });
  } finally {
    await cluster?.close();
  }
}
