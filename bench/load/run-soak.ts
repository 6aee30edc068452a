import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkout, startService } from '../../tests/support/service.ts';
import { createCaller, type Seen } from './caller.ts';
import { drive, type Pace, type Tally } from './drive.ts';
import { findRate } from './find-rate.ts';
import { incidentOf, writeIncidents } from './incidents.ts';
import { type Held, heldBy, middleOf, watchProcess } from './watch-process.ts';

export interface SoakOptions {
  readonly callers: number;
  /** Of steady load, after the warm-up and the search for a rate. */
  readonly minutes: number;
  /** Calls a second; null: half of the highest that is borne. */
  readonly rate: number | null;
  readonly warmUpSeconds: number;
  /** Of the search for a rate and of the steady load; the warm-up comes at random moments. */
  readonly pace: Pace;
  /** Told from time to time. */
  readonly tell: (line: string) => void;
}

export interface SoakReport {
  /** The highest rate that met no overload; null where it was not looked for. */
  readonly highestRate: number | null;
  readonly rate: number;
  /** Of the steady load. */
  readonly steady: Tally;
  /** All phases together. */
  readonly wrong: readonly string[];
  readonly failed: readonly string[];
  readonly overloads: number;
  /** Second by second of the steady load. */
  readonly held: readonly Held[];
  /** Resident memory of the last fifth over that of the first, less one. */
  readonly growth: number;
  /** Open descriptors before the first caller came, and after the last had gone. */
  readonly descriptors: { readonly before: number; readonly after: number };
  /** The longest that a sign of life took, sorted, in milliseconds. */
  readonly aliveMs: readonly number[];
  readonly exitCode: number | null;
}

const jobsACaller = 0.8;
const stepSeconds = 10;
const firstRate = 10;
const idleMs = 500;

/**
 * Callers ask a service over a SQLite store and logs on disk, fast and slow, each in sessions of its own and some about
 * one job. The service takes half as many requests as there are callers, so that too much is met with a refusal.
 */
export async function runSoak({
  callers: count,
  minutes,
  rate,
  warmUpSeconds,
  pace,
  tell,
}: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-soak-'));
  const jobs = Array.from({ length: Math.ceil(count * jobsACaller) }, (_, at) => incidentOf(at));
  const config = join(folder, 'config.yaml');
  const sources = [writeIncidents(join(folder, 'logs'), jobs)];
  const load = { requests: Math.ceil(count / 2) };
  writeFileSync(config, JSON.stringify({ sources, load, log: { level: 'error' } }));
  // As users start it: the command replaces itself by the runtime, with the environment that deployments have.
  const service = await startService(['--state', join(folder, 'state')], { ATTRIBUTION_CONFIG: config }, [
    join(checkout, 'attribution-adapter'),
  ]);
  try {
    const pid = service.process.pid ?? 0;
    await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } });
    const before = heldBy(pid).descriptors;
    const seen: Seen = { requests: new Set(), sessions: new Map(), asked: 0 };
    const pick = () => jobs[Math.floor(Math.random() * jobs.length)] ?? incidentOf(0);
    const url = new URL('/v1/attribution', service.url);
    const callers = Array.from({ length: count }, () => createCaller(url, pick, seen));
    const tallies: Tally[] = [];
    const step = async (stepRate: number, seconds: number, stepPace = pace): Promise<Tally> => {
      const tally = await drive(callers, stepRate, seconds, stepPace);
      tallies.push(tally);
      return tally;
    };

    // More than is borne: the memory of as much at once as there may ever be is taken before it is watched.
    await step(count, warmUpSeconds, 'random');
    const highestRate =
      rate === null
        ? await findRate(
            async tried => {
              const tally = await step(tried, stepSeconds);
              tell(`  ${tried.toFixed(0)} a second: ${tally.overloads} refused, ${tally.late} late`);
              return tally;
            },
            { from: firstRate, most: 5_000 },
          )
        : null;
    const steadyRate = rate ?? (highestRate ?? 0) / 2;
    const watch = watchProcess(pid);
    const probing = probeAlive(new URL('/healthz', service.url));
    const telling = setInterval(() => {
      const { residentMib, descriptors } = watch.samples.at(-1) ?? heldBy(pid);
      tell(`  ${seen.asked} calls, ${residentMib.toFixed(0)} MiB, ${descriptors} descriptors`);
    }, 60_000);
    const steady = await step(steadyRate, minutes * 60);
    clearInterval(telling);
    watch.stop();
    const aliveMs = await probing.end();

    for (const caller of callers) caller.close();
    await sleep(idleMs);
    const after = heldBy(pid).descriptors;
    const [first, last] = [middleOf(watch.samples, 0, 0.2), middleOf(watch.samples, 0.8, 1)];
    return {
      highestRate,
      rate: steadyRate,
      steady,
      wrong: tallies.flatMap(tally => tally.wrong),
      failed: tallies.flatMap(tally => tally.failed),
      overloads: tallies.reduce((sum, { overloads }) => sum + overloads, 0),
      held: watch.samples,
      growth: last.residentMib / first.residentMib - 1,
      descriptors: { before, after },
      aliveMs,
      exitCode: await service.stop(),
    };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks for a sign of life ten times a second; the times it took come sorted at the end. */
function probeAlive(url: URL): { end(): Promise<readonly number[]> } {
  const taken: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const began = performance.now();
      const answer = await fetch(url, { headers: { connection: 'close' } });
      await answer.text();
      if (!answer.ok) throw new Error(`/healthz answered ${answer.status}`);
      taken.push(performance.now() - began);
      await sleep(100);
    }
  })();
  return {
    async end() {
      isOver = true;
      await probing;
      return taken.sort((a, b) => a - b);
    },
  };
}
