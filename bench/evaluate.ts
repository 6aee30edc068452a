import { parseArgs } from 'node:util';
import { naiveEngines } from './evaluation/naive.ts';
import { openEngineUnderTest } from './evaluation/run-engine.ts';
import { isRight, type Judged, scoreOf } from './evaluation/score.ts';
import { incidentsOf } from './incidents/generate.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, wrong: { type: 'boolean', default: false } },
});
const started = performance.now();
const engine = await openEngineUnderTest(2);
const judged: Judged[] = [];
const naive = naiveEngines.map(() => [] as Judged[]);
try {
  const pending = new Set<Promise<void>>();
  for (const incident of incidentsOf(values.seed)) {
    const { id, nodes, truth } = incident;
    for (const [index, one] of naiveEngines.entries()) {
      naive[index]?.push({ id, nodes, truth, answer: one.answer(incident) });
    }
    const run = engine.answer(incident).then(({ last }) => {
      judged.push({ id, nodes, truth, answer: last });
    });
    const tracked: Promise<void> = run.finally(() => pending.delete(tracked));
    pending.add(tracked);
    if (pending.size >= 4) await Promise.race(pending);
  }
  await Promise.all(pending);
} finally {
  await engine.close();
}
judged.sort((a, b) => a.id.localeCompare(b.id));
const score = scoreOf(judged);
for (const [key, value] of Object.entries(score))
  if (key !== 'families')
    console.log(
      key,
      JSON.stringify(value),
      ((value as { right: number; of: number }).right / (value as { of: number }).of).toFixed(3),
    );
for (const f of score.families)
  console.log(
    f.kind.padEnd(11),
    f.family.padEnd(28),
    `${f.answered.right}/${f.answered.of}`.padEnd(8),
    `precision ${f.precision.right}/${f.precision.of}`,
  );
naiveEngines.forEach((one, index) => {
  const s = scoreOf(naive[index] ?? []);
  console.log(
    one.name,
    'precision',
    (s.precision.right / s.precision.of).toFixed(2),
    'recall',
    (s.recall.right / s.recall.of).toFixed(2),
  );
});
if (values.wrong)
  for (const one of judged)
    if (!isRight(one) || one.answer.named.some(n => n.node !== one.truth.node))
      console.log(
        one.id,
        one.nodes,
        one.truth.kind,
        one.truth.family,
        `truth ${one.truth.node}`,
        one.truth.culpritLogMissing ? 'LOG MISSING' : '',
        one.truth.provenLate ? 'LATE' : '',
        '->',
        one.answer.named
          .map(n => n.node)
          .join(',')
          .slice(0, 80),
        one.answer.wholeJob ? 'JOB' : '',
        one.answer.categories.join(','),
        JSON.stringify(one.truth.decoys).slice(0, 150),
      );
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
