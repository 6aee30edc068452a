import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, holds } from '../../bench/evaluation/bars.ts';
import { evaluateSeed } from '../../bench/evaluation/evaluate-seed.ts';
import { reportOf } from '../../bench/evaluation/report.ts';

/** An incident of each family: what must never happen, on a seed that no page quotes. `make eval` measures the rest. */
const evaluation = await evaluateSeed('small', {
  perNodeFault: 1,
  perApplicationFault: 1,
  perSharedFault: 1,
  perUnknowable: 1,
  perWantedEnd: 1,
  perCoincidence: 0,
});

const never = [
  'Named nodes that are at fault (precision)',
  'Application faults blamed on a node',
  'Shared faults of more than 16 nodes that name none',
  'One bad node of 1,024, named exactly',
  'Kernel-shaped lines in job text that convict a node',
];

for (const name of never) {
  test(name, () => {
    const bar = barsOf(evaluation).find(one => one.name === name);
    assert.ok(bar !== undefined && holds(bar), JSON.stringify(bar));
  });
}

test('most faulty nodes are named, and most application faults answered', () => {
  const { recall, application } = evaluation.score;
  assert.ok(recall.right / recall.of >= 0.75, JSON.stringify(recall));
  assert.ok(application.right / application.of >= 0.75, JSON.stringify(application));
});

test('the page has a row a family, and nothing of the machine or the hour', () => {
  const page = reportOf(evaluation);
  for (const { family } of evaluation.score.families) assert.ok(page.includes(`| ${family} |`), family);
  assert.doesNotMatch(page, /\d(?:\.\d+)? (?:ms|s)\b|\/tmp|\/dev\/shm/);
});
