import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, holds, shortfalls } from '../../bench/evaluation/bars.ts';
import { calibrationOf, type Named } from '../../bench/evaluation/calibration.ts';
import type { Evaluation } from '../../bench/evaluation/evaluate-seed.ts';
import { type Judged, scoreOf } from '../../bench/evaluation/score.ts';
import type { ProofLevel } from '../../src/engine/conclude/proof-level.ts';
import { judgedAs, named, wholeJob } from './judged.ts';

const culprit = { kind: 'node', node: 'node-03', family: 'gpu' } as const;
const program = { kind: 'job', family: 'program' } as const;
const unknowable = { kind: 'unknowable', family: 'hang' } as const;

test('precision counts every named node, wherever it is named', () => {
  const { precision } = scoreOf([
    judgedAs(culprit, named('node-03')),
    judgedAs(culprit, named('node-03', 'node-01')),
    judgedAs(program, named('node-02')),
    judgedAs(unknowable, named('node-02')),
    judgedAs({ kind: 'shared', family: 'switch' }, named('node-02')),
  ]);
  assert.deepEqual(precision, { right: 2, of: 6 });
});

test('recall counts incidents of one node in which it is named', () => {
  const { recall, recallWithoutLog } = scoreOf([
    judgedAs(culprit, named('node-03', 'node-01')),
    judgedAs({ ...culprit, culpritLogMissing: true }, named('node-01')),
    judgedAs({ ...culprit, culpritLogMissing: true }, wholeJob),
    judgedAs(program, wholeJob),
  ]);
  assert.deepEqual(recall, { right: 1, of: 3 });
  assert.deepEqual(recallWithoutLog, { right: 0, of: 2 });
});

test('an application fault is answered by the whole job and no node', () => {
  const score = scoreOf([
    judgedAs(program, wholeJob),
    judgedAs(program, { ...wholeJob, ...named('node-01') }),
    judgedAs(program),
  ]);
  assert.deepEqual(score.application, { right: 1, of: 3 });
  assert.deepEqual(score.applicationBlamedOnNode, { right: 1, of: 3 });
});

test('an unknowable incident is answered by nothing, not even the whole job', () => {
  const { abstained } = scoreOf([judgedAs(unknowable), judgedAs(unknowable, wholeJob)]);
  assert.deepEqual(abstained, { right: 1, of: 2 });
});

test('shared faults are judged from 17 nodes on', () => {
  const shared = { kind: 'shared', family: 'switch' } as const;
  const { sharedUnnamed } = scoreOf([
    judgedAs(shared, named('node-01'), 16),
    judgedAs(shared, named('node-01'), 17),
    judgedAs(shared, wholeJob, 40),
  ]);
  assert.deepEqual(sharedUnnamed, { right: 1, of: 2 });
});

const sure = (level: ProofLevel, count: number): readonly Named[] =>
  Array.from({ length: count }, () => ({ level, right: true }));
/** Named on four levels, and always at fault. */
const calibrated = [
  ...sure('decisive-confirmed', 30),
  ...sure('decisive', 30),
  ...sure('local-confirmed', 30),
  ...sure('local', 30),
];

/** A hundred of each kind, answered as they should be. */
function perfect(): Evaluation {
  const times = (count: number, one: () => Judged): readonly Judged[] => Array.from({ length: count }, one);
  const judged = [
    ...times(100, () => judgedAs(culprit, named('node-03'))),
    ...times(100, () => judgedAs(program, wholeJob)),
    ...times(100, () => judgedAs(unknowable)),
    ...times(10, () => judgedAs({ kind: 'ended', family: 'time-limit' })),
    ...times(10, () => judgedAs({ kind: 'shared', family: 'switch' }, {}, 20)),
  ];
  return {
    seed: 'one',
    judged,
    score: scoreOf(judged),
    naive: [],
    calibration: calibrationOf(calibrated),
    large: judgedAs(culprit, named('node-03'), 1024),
    printed: times(50, () => judgedAs(program, wholeJob)),
  };
}

test('a perfect engine is below no bar', () => {
  assert.deepEqual(shortfalls(perfect()), []);
  assert.ok(barsOf(perfect()).every(holds));
});

test('each bar can be missed', () => {
  const base = perfect();
  const missed = (change: Partial<Evaluation>): number => shortfalls({ ...base, ...change }).length;
  const scored = (judged: readonly Judged[]): Partial<Evaluation> => ({ judged, score: scoreOf(judged) });
  const wrong = [1, 2, 3].map(() => judgedAs({ ...culprit, family: 'other' }, named('node-03', 'node-01')));
  assert.equal(missed(scored([...base.judged, ...wrong])), 1);
  const unnamed = Array.from({ length: 20 }, () => judgedAs({ ...culprit, family: 'other' }));
  assert.equal(missed(scored([...base.judged, ...unnamed])), 2);
  const blamed = [1, 2].map(() => judgedAs(program, named('node-01')));
  assert.ok(missed(scored([...base.judged, ...blamed])) >= 1);
  assert.equal(missed(scored([...base.judged, judgedAs({ kind: 'shared' }, named('a'), 20)])), 1);
  assert.equal(missed({ large: judgedAs(culprit, named('node-03', 'node-01'), 1024) }), 1);
  assert.equal(missed({ printed: [judgedAs(program, named('node-01'))] }), 1);
  const withoutNumber = Array.from({ length: 60 }, () => ({ level: null, right: true }));
  assert.equal(missed({ calibration: calibrationOf([...calibrated, ...withoutNumber]) }), 1);
  const often = [...calibrated, ...calibrated.map(({ level }, at) => ({ level, right: at % 4 > 0 }))];
  assert.equal(missed({ calibration: calibrationOf(often) }), 1);
});

test('incidents that a naive engine solves are too easy', () => {
  const base = perfect();
  const easy = (answer: ReturnType<typeof named>): Evaluation => ({
    ...base,
    naive: [{ name: 'naive', score: scoreOf([1, 2, 3].map(() => judgedAs(culprit, answer))) }],
  });
  assert.match(shortfalls(easy(named('node-03'))).join(), /Too easy: "naive"/);
  assert.deepEqual(shortfalls(easy(named('node-03', 'a', 'b'))), []);
});
