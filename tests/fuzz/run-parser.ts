import { corpusOf } from './corpus.ts';
import type { FuzzedParser } from './fuzzed-parser.ts';
import { inputsOf } from './inputs.ts';

/** What a parser did that it must not do, and the run that shows it. */
export interface Fault {
  readonly parser: string;
  readonly seed: number;
  readonly run: number;
  readonly kind: 'crash' | 'hang';
  readonly says: string;
}

export interface FuzzResult {
  readonly parser: string;
  readonly runs: number;
  /** Inputs that came past the first step of parsing. */
  readonly reached: number;
  readonly cpuMs: number;
  readonly slowestMs: number;
  readonly faults: readonly Fault[];
}

export interface FuzzPlan {
  readonly seed: number;
  readonly from: number;
  readonly runs: number;
}

/** A run may hold its thread so long; longer is a hang. */
export const mostRunMs = 1_000;
/** Of one kind of fault one example is enough, and of all kinds a few. */
const mostFaults = 20;

/** Runs a parser over the inputs of a plan. `began` is called with the number of each run before it. */
export async function runParser(
  parser: FuzzedParser,
  plan: FuzzPlan,
  began: (run: number) => void = () => {},
): Promise<FuzzResult> {
  const inputs = inputsOf(parser, corpusOf(parser.name), plan.seed);
  const faults = new Map<string, Fault>();
  const fault = (run: number, kind: Fault['kind'], says: string): void => {
    const key = says.replaceAll(/\d+/g, '0');
    if (faults.size < mostFaults && !faults.has(key)) {
      faults.set(key, { parser: parser.name, seed: plan.seed, run, kind, says });
    }
  };
  let reached = 0;
  let slowestMs = 0;
  const startMs = cpuMs();
  let lastMs = startMs;
  for (let run = plan.from; run < plan.from + plan.runs; run += 1) {
    began(run);
    try {
      const came = parser.run(inputs(run));
      if (typeof came === 'boolean' ? came : await came) reached += 1;
    } catch (error) {
      fault(run, 'crash', shown(error));
    }
    const nowMs = cpuMs();
    slowestMs = Math.max(slowestMs, nowMs - lastMs);
    if (nowMs - lastMs > mostRunMs) fault(run, 'hang', `one run took ${Math.round(nowMs - lastMs)} ms`);
    lastMs = nowMs;
  }
  return {
    parser: parser.name,
    runs: plan.runs,
    reached,
    cpuMs: lastMs - startMs,
    slowestMs,
    faults: [...faults.values()],
  };
}

/** The time that this thread has computed, so that a busy machine makes no hangs. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What was thrown, and the first places in the product that it came through. */
function shown(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}: ${String(error)}`;
  const places = (error.stack ?? '').match(/\/src\/[^):]+:\d+/g) ?? [];
  return `${error.name}: ${error.message.slice(0, 300)} at ${places.slice(0, 3).join(' < ') || 'no place of ours'}`;
}
