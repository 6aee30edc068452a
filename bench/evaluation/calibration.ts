import type { Judged } from './score.ts';

/** How often named nodes of one confidence were at fault. */
export interface Level {
  readonly confidence: number;
  readonly findings: number;
  readonly right: number;
}

export interface Calibration {
  /** Named nodes with and without a confidence. */
  readonly withNumber: number;
  readonly withoutNumber: number;
  /** Ascending. */
  readonly levels: readonly Level[];
  /** Mean distance of confidence and share of right ones, weighted by findings; null without any. */
  readonly expectedError: number | null;
}

export function calibrationOf(judged: readonly Judged[]): Calibration {
  const named = judged.flatMap(({ truth, answer }) =>
    answer.named.map(({ node, confidence }) => ({ confidence, right: node === truth.node })),
  );
  const numbered = named.flatMap(({ confidence, right }) =>
    confidence === null ? [] : [{ confidence, right }],
  );
  const groups = Map.groupBy(numbered, ({ confidence }) => Math.round(confidence * 1000) / 1000);
  const levels = [...groups]
    .map(([confidence, group]) => ({
      confidence,
      findings: group.length,
      right: group.filter(({ right }) => right).length,
    }))
    .sort((a, b) => a.confidence - b.confidence);
  return {
    withNumber: numbered.length,
    withoutNumber: named.length - numbered.length,
    levels,
    expectedError: expectedError(levels, numbered.length),
  };
}

function expectedError(levels: readonly Level[], total: number): number | null {
  if (total === 0) return null;
  const distance = levels.map(
    ({ confidence, findings, right }) => Math.abs(confidence - right / findings) * findings,
  );
  return distance.reduce((sum, value) => sum + value, 0) / total;
}
