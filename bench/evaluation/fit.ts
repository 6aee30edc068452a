import type { ProofLevel } from '../../src/engine/conclude/proof-level.ts';
import type { Reliability } from '../../src/engine/conclude/reliability.ts';
import type { Share } from './score.ts';

/** Seeds that confidence is fitted on, and seeds that it is measured on: never the same, and neither the page's. */
export const fitSeeds: readonly string[] = ['fit-1', 'fit-2', 'fit-3', 'fit-4', 'fit-5', 'fit-6'];
export const measuredSeeds: readonly string[] = ['measured-1', 'measured-2'];

/** Whoever runs a job can print anything, however seldom it happens in made incidents. */
const mostForJobText = 0.9;

/** The better proof first. Where counts do not tell a pair apart, the poorer proof is still not the surer one. */
const pairs: readonly (readonly [ProofLevel, ProofLevel])[] = [
  ['decisive-confirmed', 'decisive'],
  ['local-confirmed', 'local'],
];

/** Step between two confidences, so that each number tells its level. */
const step = 0.001;

/**
 * Confidence by level of proof: the lower end of the 95 % interval of its share, in thousandths. Few findings give a
 * wide interval, so that what is little known is not called sure. Throws where a level has no finding.
 */
export function fitReliability(
  counts: Readonly<Record<ProofLevel, Share>>,
): Readonly<Record<ProofLevel, Reliability>> {
  const names = Object.keys(counts) as ProofLevel[];
  const bounds = new Map(names.map(level => [level, lowerBound(counts[level])]));
  for (const [better, poorer] of pairs) {
    if ((bounds.get(better) ?? 0) > (bounds.get(poorer) ?? 0)) continue;
    const both = lowerBound(sum(counts[better], counts[poorer]));
    bounds.set(better, both).set(poorer, both - step);
  }
  bounds.set('job-text', Math.min(mostForJobText, bounds.get('job-text') ?? 0));
  const taken = new Set<number>();
  const entries = names
    .toSorted((a, b) => (bounds.get(b) ?? 0) - (bounds.get(a) ?? 0))
    .map(level => [level, { ...counts[level], confidence: free(bounds.get(level) ?? 0, taken) }] as const);
  const fitted = new Map<ProofLevel, Reliability>(entries);
  return Object.fromEntries(names.map(level => [level, fitted.get(level)])) as Record<ProofLevel, Reliability>;
}

/** The highest number of thousandths at or below `bound` that no other level has. */
function free(bound: number, taken: Set<number>): number {
  let thousandths = Math.floor(bound / step + 1e-9);
  while (taken.has(thousandths)) thousandths -= 1;
  taken.add(thousandths);
  return thousandths / 1000;
}

/** Of a two-sided 90 % interval, that is 95 % to one side. */
const z = 1.6449;

/** The lower end of Wilson's interval for a share. */
export function lowerBound({ right, of }: Share): number {
  if (of === 0) throw new RangeError('a level without a finding cannot be fitted');
  const share = right / of;
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return (share + (z * z) / (2 * of) - spread) / (1 + (z * z) / of);
}

const sum = (a: Share, b: Share): Share => ({ right: a.right + b.right, of: a.of + b.of });
