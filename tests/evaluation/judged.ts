import type { Answer } from '../../bench/evaluation/answer.ts';
import type { Judged } from '../../bench/evaluation/score.ts';
import type { Truth } from '../../bench/incidents/incident.ts';

/** An answered incident with what a test cares about. */
export function judgedAs(truth: Partial<Truth>, answer: Partial<Answer> = {}, nodes = 4): Judged {
  return {
    id: `one-${truth.kind}-${truth.family}-${answer.named?.map(({ node }) => node).join('+')}`,
    nodes,
    truth: {
      kind: 'node',
      node: null,
      hidden: null,
      family: 'some-family',
      categories: [],
      decoys: [],
      culpritLogMissing: false,
      provenLate: false,
      ...truth,
    },
    answer: { named: [], wholeJob: false, categories: [], ...answer },
  };
}

export function named(...nodes: readonly string[]): Partial<Answer> {
  return { named: nodes.map(node => ({ node, confidence: null })) };
}

export const wholeJob: Partial<Answer> = { wholeJob: true };
