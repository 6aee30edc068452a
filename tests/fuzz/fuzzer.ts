import { Worker } from 'node:worker_threads';
import { type Fault, type FuzzPlan, type FuzzResult, mostRunMs } from './run-parser.ts';

/** A thread that runs parsers, one after the other. */
export interface Fuzzer {
  /**
   * Runs a parser's plan. Where one run computes for too long without coming back, the thread is ended: that is a hang,
   * and the plan goes on behind it in a new one.
   */
  fuzz(parser: string, plan: FuzzPlan): Promise<FuzzResult>;
  close(): Promise<void>;
}

const lookEveryMs = 200;

export function createFuzzer(): Fuzzer {
  const beat = new SharedArrayBuffer(4);
  const at = new Int32Array(beat);
  let worker: Worker | null = null;
  const close = async (): Promise<void> => {
    await worker?.terminate();
    worker = null;
  };

  const runWatched = async (parser: string, plan: FuzzPlan): Promise<FuzzResult> => {
    worker ??= new Worker(new URL('./fuzz-worker.ts', import.meta.url), { workerData: beat });
    Atomics.store(at, 0, plan.from - 1);
    const result = await answerOf(worker, { parser, plan }, at);
    if (result !== null) return result;
    await close();
    const run = Math.max(Atomics.load(at, 0), plan.from);
    const hang: Fault = { parser, seed: plan.seed, run, kind: 'hang', says: 'one run did not come back' };
    return { parser, runs: run - plan.from + 1, reached: 0, cpuMs: 0, slowestMs: mostRunMs, faults: [hang] };
  };

  return {
    async fuzz(parser, plan) {
      const end = plan.from + plan.runs;
      const parts: FuzzResult[] = [];
      for (let from = plan.from; from < end; ) {
        const part = await runWatched(parser, { ...plan, from, runs: end - from });
        parts.push(part);
        from += part.runs;
      }
      return joined(parser, parts);
    },
    close,
  };
}

/** The worker's answer; null where one run computes for longer than it may, and does not come back. */
function answerOf(
  worker: Worker,
  message: { readonly parser: string; readonly plan: FuzzPlan },
  at: Int32Array,
): Promise<FuzzResult | null> {
  return new Promise((resolve, reject) => {
    let last = { run: -1, cpuMs: 0 };
    const look = setInterval(() => {
      const run = Atomics.load(at, 0);
      const cpuMs = processCpuMs();
      // Before its first run the worker loads what it runs.
      if (run !== last.run || run < message.plan.from) last = { run, cpuMs };
      else if (cpuMs - last.cpuMs > 2 * mostRunMs) settle(() => resolve(null));
    }, lookEveryMs);
    const settle = (then: () => void): void => {
      clearInterval(look);
      worker.off('message', answered).off('error', failed);
      then();
    };
    const answered = (result: FuzzResult): void => settle(() => resolve(result));
    const failed = (error: Error): void => settle(() => reject(error));
    worker.on('message', answered).on('error', failed);
    worker.postMessage(message);
  });
}

function joined(parser: string, parts: readonly FuzzResult[]): FuzzResult {
  const sum = (of: (part: FuzzResult) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    parser,
    runs: sum(({ runs }) => runs),
    reached: sum(({ reached }) => reached),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    slowestMs: Math.max(0, ...parts.map(({ slowestMs }) => slowestMs)),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

/** This thread waits: what the process computes is the worker's. */
function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
