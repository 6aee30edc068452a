import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyExamples, corpusOf, ruleFile, shippedRuleFiles } from '../../../tests/support/rule-files.ts';
import { metricNeeds } from './metrics.ts';

function needsOf(...matches: readonly Readonly<Record<string, unknown>>[]) {
  const files = matches.map((sample, index) =>
    ruleFile(`gpu/r${index}`, { match: { sample }, examples: anyExamples }),
  );
  return metricNeeds(corpusOf(...files));
}

test('each metric comes with what makes it matter, once', () => {
  assert.deepEqual(
    needsOf(
      { metrics: ['b', 'a'], changed: true },
      { metrics: ['a'], changed: true },
      { metrics: ['a'], above: 95 },
      { metrics: ['up'], below: 0.5 },
      { metrics: ['clock'], away_from_median_by: 400 },
      { metrics: ['errors_total'], increased_by: 10 },
    ),
    [
      { metric: 'a', when: 'above', threshold: 95 },
      { metric: 'a', when: 'changed', threshold: 0 },
      { metric: 'b', when: 'changed', threshold: 0 },
      { metric: 'clock', when: 'away_from_median_by', threshold: 400 },
      { metric: 'errors_total', when: 'increased_by', threshold: 10 },
      { metric: 'up', when: 'below', threshold: 0.5 },
    ],
  );
});

test('every metric of every shipped sample rule is needed, and nothing else', () => {
  const corpus = corpusOf(...shippedRuleFiles());
  const named = corpus.rules.flatMap(({ match }) => (match.kind === 'sample' ? match.metrics : []));
  const needed = metricNeeds(corpus).map(({ metric }) => metric);
  assert.deepEqual([...new Set(needed)].sort(), [...new Set(named)].sort());
});
