import type { ProofLevel } from '../../src/engine/conclude/proof-level.ts';
import { type Reliability, reliability } from '../../src/engine/conclude/reliability.ts';
import { type Judged, ratio, type Share } from './score.ts';

/** A node that was named: how well it was proven, and whether it was at fault. */
export interface Named {
  /** Null where the finding carries no confidence. */
  readonly level: ProofLevel | null;
  readonly right: boolean;
}

/** How often nodes named on one level of proof were at fault. */
export interface Level extends Share {
  readonly level: ProofLevel;
  readonly confidence: number;
}

export interface Calibration {
  /** Named nodes that carry a confidence, over all. */
  readonly numbered: Share;
  /** The surest first. */
  readonly levels: readonly Level[];
  /** Mean distance of confidence and share of right ones, weighted by findings; null without any. */
  readonly expectedError: number | null;
}

const levelsByNumber = new Map(
  (Object.entries(reliability) as [ProofLevel, Reliability][]).map(([level, { confidence }]) => [
    confidence,
    level,
  ]),
);

/** The level that a confidence tells; null for none. Throws where no level has that number. */
export function levelOf(confidence: number | null): ProofLevel | null {
  if (confidence === null) return null;
  const level = levelsByNumber.get(confidence);
  if (level === undefined) throw new Error(`no level of proof has the confidence ${confidence}`);
  return level;
}

export function namedIn(judged: readonly Judged[]): readonly Named[] {
  return judged.flatMap(({ truth, answer }) =>
    answer.named.map(({ node, confidence }) => ({ level: levelOf(confidence), right: node === truth.node })),
  );
}

/** How well the confidences of a table agree with what was right. */
export function calibrationOf(named: readonly Named[], table = reliability): Calibration {
  const groups = Map.groupBy(named, ({ level }) => level);
  const levels = (Object.keys(table) as ProofLevel[])
    .map(level => ({ level, confidence: table[level].confidence, ...shareOf(groups.get(level) ?? []) }))
    .filter(({ of }) => of > 0)
    .sort((a, b) => b.confidence - a.confidence);
  const numbered = named.filter(({ level }) => level !== null).length;
  return {
    numbered: { right: numbered, of: named.length },
    levels,
    expectedError: expectedError(levels, numbered),
  };
}

export function shareOf(named: readonly Named[]): Share {
  return { right: named.filter(({ right }) => right).length, of: named.length };
}

function expectedError(levels: readonly Level[], total: number): number | null {
  if (total === 0) return null;
  const distance = levels.map(level => Math.abs(level.confidence - (ratio(level) ?? 0)) * level.of);
  return distance.reduce((sum, value) => sum + value, 0) / total;
}

const leastNumbered = 0.7;
const leastLevels = 4;
/** A level counts from this many findings on. */
const countedFrom = 30;
const mostError = 0.05;

/** What the calibration of a seed falls short of, each as a sentence. */
export function calibrationShortfalls({ numbered, expectedError: error }: Calibration): readonly string[] {
  return [
    ...((ratio(numbered) ?? 0) < leastNumbered
      ? [
          `${numbered.right} of ${numbered.of} named nodes carry a confidence, must be at least ${leastNumbered}`,
        ]
      : []),
    ...(error === null || error > mostError
      ? [`The expected calibration error is ${error?.toFixed(3) ?? 'unknown'}, must be at most ${mostError}`]
      : []),
  ];
}

/** The same of several seeds together, in which four levels must have enough findings to be measured. */
export function pooledShortfalls(calibration: Calibration): readonly string[] {
  const filled = calibration.levels.filter(({ of }) => of >= countedFrom).length;
  const few = `${filled} levels of confidence have ${countedFrom} findings, must be at least ${leastLevels}`;
  return [...calibrationShortfalls(calibration), ...(filled < leastLevels ? [few] : [])];
}
