import type { MetricNeed } from '../../core/ports.ts';
import type { Corpus } from './corpus.ts';
import { compareText } from './problem.ts';
import type { SampleMatch } from './rule.ts';

/** Metrics that the sample rules of a corpus look at, each with what makes a series of it matter; no need twice. */
export function metricNeeds(corpus: Corpus): readonly MetricNeed[] {
  const needs = new Map<string, MetricNeed>();
  for (const { match } of corpus.rules) {
    if (match.kind !== 'sample') continue;
    for (const metric of match.metrics) {
      const need = { metric, ...conditionOf(match) };
      needs.set(`${metric} ${need.when} ${need.threshold}`, need);
    }
  }
  return [...needs.entries()].sort(([a], [b]) => compareText(a, b)).map(([, need]) => need);
}

function conditionOf(match: SampleMatch): Omit<MetricNeed, 'metric'> {
  const { increasedBy, above, below, awayFromMedianBy } = match;
  if (increasedBy !== null) return { when: 'increased_by', threshold: increasedBy };
  if (above !== null) return { when: 'above', threshold: above };
  if (below !== null) return { when: 'below', threshold: below };
  if (awayFromMedianBy !== null) return { when: 'away_from_median_by', threshold: awayFromMedianBy };
  return { when: 'changed', threshold: 0 };
}
