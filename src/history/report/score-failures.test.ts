import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Truth } from '../../core/marks.ts';
import type { AnsweredFailure, Said } from './answered-failures.ts';
import { scoreFailures } from './score-failures.ts';

const window = { from: 0n, to: 100n };
const node = (name: string, rule = 'gpu/off-bus'): Said => ({ node: name, rule });
const job: Said = { node: null, rule: 'application/out-of-memory' };
const nodes = (...names: string[]): Truth => ({ kind: 'nodes', nodes: names });
const application: Truth = { kind: 'application' };
const unknown: Truth = { kind: 'unknown' };

/** A report over failures, each with what was said and, where somebody looked, what was true. */
function reportOf(cases: readonly (readonly [readonly Said[], Truth | null])[]) {
  const failures = cases.map(
    ([said], at): AnsweredFailure => ({
      about: `session-${at}`,
      workloadId: `job-${at}`,
      at: BigInt(at),
      shadow: at % 2 === 0,
      said,
    }),
  );
  const marks = cases.flatMap(([, truth], at) =>
    truth === null ? [] : [{ about: `session-${at}`, truth, note: '', at: BigInt(at) }],
  );
  return scoreFailures(failures, marks, window);
}

test('nodes, the job and silence are each held against what was marked', () => {
  const report = reportOf([
    [[node('node-01')], nodes('node-01')],
    [[node('node-01', 'pcie/link')], nodes('node-02')],
    [[node('node-01')], application],
    [[node('node-01'), node('node-02')], nodes('node-01', 'node-03')],
    [[], nodes('node-01')],
    [[job], application],
    [[job], nodes('node-01')],
    [[], application],
    [[], unknown],
    [[node('node-09')], unknown],
    [[node('node-09')], null],
    [[], null],
  ]);
  // Right: 0 and 3. Wrong: 1, 2 and the second of 3. Missed: 1, the second of 3, 4 and 6.
  assert.deepEqual(report.node, { named: 7, right: 2, wrong: 3, missed: 4, precision: 2 / 5, recall: 2 / 6 });
  // Missed: 2, where a node was blamed for the application, and 7.
  assert.deepEqual(report.job, { named: 2, right: 1, wrong: 1, missed: 2, precision: 1 / 2, recall: 1 / 3 });
  assert.deepEqual(report.abstained, { nodes: 1, application: 1, unknown: 1 });
  assert.deepEqual([report.failures, report.shadow, report.marked], [12, 6, 10]);
  assert.deepEqual(report.rules, [
    { name: 'gpu/off-bus', named: 6, right: 2, wrong: 2, untold: 1, unmarked: 1 },
    { name: 'application/out-of-memory', named: 2, right: 1, wrong: 1, untold: 0, unmarked: 0 },
    { name: 'pcie/link', named: 1, right: 0, wrong: 1, untold: 0, unmarked: 0 },
  ]);
  assert.deepEqual(
    report.families.map(({ name, named }) => [name, named]),
    [
      ['gpu', 6],
      ['application', 2],
      ['pcie', 1],
    ],
  );
  assert.deepEqual(
    report.mistakes.map(({ about, nodes: named, job: ofJob, atFault }) => [about, named, ofJob, atFault]),
    [
      ['session-1', ['node-01'], false, ['node-02']],
      ['session-2', ['node-01'], false, []],
      ['session-3', ['node-01', 'node-02'], false, ['node-01', 'node-03']],
      ['session-4', [], false, ['node-01']],
      ['session-6', [], true, ['node-01']],
    ],
  );
  assert.deepEqual(
    report.unmarked.map(({ about, nodes: named, job: ofJob }) => [about, named, ofJob]),
    [
      ['session-10', ['node-09'], false],
      ['session-11', [], false],
    ],
  );
});

test('with nothing to be right about there is no rate, and none is claimed', () => {
  const report = reportOf([[[node('node-01')], null]]);
  assert.deepEqual([report.node.precision, report.node.recall, report.job.precision], [null, null, null]);
});

test('a node is the same by its short name, and another where both have a domain', () => {
  const rightOf = (said: string, marked: string) => reportOf([[[node(said)], nodes(marked)]]).node.right;
  assert.equal(rightOf('node-01.cluster.example', 'node-01'), 1);
  assert.equal(rightOf('node-01', 'node-01.cluster.example'), 1);
  assert.equal(rightOf('node-01.a.example', 'node-01.b.example'), 0);
  assert.equal(rightOf('node-1', 'node-01'), 0);
});
