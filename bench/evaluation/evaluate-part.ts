import { incidentsOf } from '../incidents/generate.ts';
import type { Incident } from '../incidents/incident.ts';
import type { Shares } from '../incidents/plan.ts';
import { oneOf1024, printedKernelLines } from '../incidents/special.ts';
import { type NaiveEngine, naiveEngines } from './naive.ts';
import { type EngineUnderTest, openEngineUnderTest } from './run-engine.ts';
import type { Judged } from './score.ts';

/** Which incidents of a seed one thread answers: every `of`-th, beginning with `part`. */
export interface PartOfSeed {
  readonly seed: string;
  readonly shares: Shares;
  readonly part: number;
  readonly of: number;
}

/** What a thread found. */
export interface PartResult {
  readonly judged: readonly Judged[];
  /** In the order of the naive engines. */
  readonly naive: readonly (readonly Judged[])[];
  /** One bad node of 1,024; the first part answers it. */
  readonly large: readonly Judged[];
  /** Kernel-shaped lines in job text. */
  readonly printed: readonly Judged[];
}

/** Incidents answered side by side: while one is read, another is recognised. */
const sideBySide = 3;

export async function evaluatePart({ seed, shares, part, of }: PartOfSeed): Promise<PartResult> {
  const engine = await openEngineUnderTest(1);
  try {
    const naive = naiveEngines.map(one => ({ one, judged: [] as Judged[] }));
    const judged = await answerAll(incidentsOf(seed, shares, { part, of }), engine, incident => {
      for (const { one, judged: list } of naive) list.push(judgedNaively(one, incident));
    });
    return {
      judged,
      naive: naive.map(({ judged: list }) => list),
      large: part === 0 ? await answerAll([oneOf1024(seed)], engine) : [],
      printed: await answerAll(printedKernelLines(seed, { part, of }), engine),
    };
  } finally {
    await engine.close();
  }
}

function judgedNaively(engine: NaiveEngine, incident: Incident): Judged {
  const { id, nodes, truth } = incident;
  return { id, nodes, truth, answer: engine.answer(incident) };
}

async function answerAll(
  incidents: Iterable<Incident>,
  engine: EngineUnderTest,
  look: (incident: Incident) => void = () => {},
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const pending = new Set<Promise<void>>();
  for (const incident of incidents) {
    look(incident);
    const { id, nodes, truth } = incident;
    const run: Promise<void> = engine.answer(incident).then(({ last }) => {
      judged.push({ id, nodes, truth, answer: last });
      pending.delete(run);
    });
    pending.add(run);
    if (pending.size >= sideBySide) await Promise.race(pending);
  }
  await Promise.all(pending);
  return judged;
}
