import { Worker } from 'node:worker_threads';
import { type Shares, usualShares } from '../incidents/plan.ts';
import { type Calibration, calibrationOf, namedIn } from './calibration.ts';
import type { PartOfSeed, PartResult } from './evaluate-part.ts';
import { naiveEngines } from './naive.ts';
import { type Judged, type Score, scoreOf } from './score.ts';

/** What was measured over the incidents of one seed. */
export interface Evaluation {
  readonly seed: string;
  readonly judged: readonly Judged[];
  readonly score: Score;
  readonly naive: readonly { readonly name: string; readonly score: Score }[];
  readonly calibration: Calibration;
  /** One bad node of 1,024. */
  readonly large: Judged;
  /** Kernel-shaped lines in job text. */
  readonly printed: readonly Judged[];
}

/** Threads share the incidents out: playing and reading them takes more time than recognising. */
const threads = 2;

/** Answers all incidents of a seed. The result does not depend on which thread answered what. */
export async function evaluateSeed(seed: string, shares: Shares = usualShares): Promise<Evaluation> {
  const parts = Array.from({ length: threads }, (_, part) => ({ seed, shares, part, of: threads }));
  const results = await Promise.all(parts.map(inThread));
  const judged = merged(results.map(result => result.judged));
  const [large] = merged(results.map(result => result.large));
  if (large === undefined) throw new Error('an incident was not answered');
  return {
    seed,
    judged,
    score: scoreOf(judged),
    naive: naiveEngines.map(({ name }, index) => ({
      name,
      score: scoreOf(merged(results.map(result => result.naive[index] ?? []))),
    })),
    calibration: calibrationOf(namedIn(judged)),
    large,
    printed: merged(results.map(result => result.printed)),
  };
}

/** Room for what lives as long as one incident: what is made for it is not copied to the old heap before it can go. */
const resourceLimits = { maxYoungGenerationSizeMb: 256 };

function inThread(part: PartOfSeed): Promise<PartResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./part-worker.ts', import.meta.url), {
      workerData: part,
      resourceLimits,
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`a thread ended with ${code} before it had answered`)));
  });
}

function merged(lists: readonly (readonly Judged[])[]): readonly Judged[] {
  return lists.flat().sort((a, b) => a.id.localeCompare(b.id));
}
