import { incidentsOf } from '../incidents/generate.ts';
import type { Incident } from '../incidents/incident.ts';
import { type Shares, usualShares } from '../incidents/plan.ts';
import { oneOf1024, printedKernelLines } from '../incidents/special.ts';
import { type Calibration, calibrationOf } from './calibration.ts';
import { type NaiveEngine, naiveEngines } from './naive.ts';
import type { EngineUnderTest } from './run-engine.ts';
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

/** Incidents answered side by side: while one is read, another is recognised. */
const sideBySide = 4;

export async function evaluateSeed(
  seed: string,
  engine: EngineUnderTest,
  shares: Shares = usualShares,
): Promise<Evaluation> {
  const naive = naiveEngines.map(one => ({ one, judged: [] as Judged[] }));
  const judged = await answerAll(incidentsOf(seed, shares), engine, incident => {
    for (const { one, judged: list } of naive) list.push(judgedNaively(one, incident));
  });
  const [large] = await answerAll([oneOf1024(seed)], engine);
  if (large === undefined) throw new Error('an incident was not answered');
  return {
    seed,
    judged,
    score: scoreOf(judged),
    naive: naive.map(({ one, judged: list }) => ({ name: one.name, score: scoreOf(list) })),
    calibration: calibrationOf(judged),
    large,
    printed: await answerAll(printedKernelLines(seed), engine),
  };
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
  return judged.sort((a, b) => a.id.localeCompare(b.id));
}
